/** Numbers as the page writes them. One formatter: making one for every number costs fifty times what formatting does. */

const FORMAT = new Intl.NumberFormat("en-US");

/** @param {number} value @returns {string} 10,041 */
export function decimal(value) {
  return FORMAT.format(value);
}
