/** Sizes of memory as the page writes them. */

/** @param {number} value bytes @returns {string} */
export function bytes(value) {
  if (value < 1024) return `${value} B`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  const step = Math.min(units.length, Math.floor(Math.log2(value) / 10));
  const scaled = value / 1024 ** step;
  return `${scaled < 10 ? scaled.toFixed(1) : Math.round(scaled)} ${units[step - 1]}`;
}
