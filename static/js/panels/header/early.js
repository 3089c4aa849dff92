// Runs before the first paint, so that a dark page never flashes white. A classic script: modules run too late.
document.documentElement.dataset.theme = (() => {
  try {
    const chosen = JSON.parse(localStorage.getItem("graphcap.theme") ?? "null");
    if (chosen === "light" || chosen === "dark") return chosen;
  } catch {
    // Storage may be forbidden; the system's theme will do.
  }
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
})();

// Asks for what the page of a capture needs first while its modules are still on their way: when they ask for the same, the
// browser has the answers.
{
  const { capture, graphs = "", standalone } = document.documentElement.dataset;
  const known = graphs.split(" ");
  const base = `/api/captures/${encodeURIComponent(capture ?? "")}`;

  /** The graph of the first pane: the one in the address, else the first there is. */
  const first = () => {
    const [, named] = /[?&]p=([^&]*)/.exec(location.hash) ?? [];
    try {
      return named === undefined ? known[0] : decodeURIComponent(named);
    } catch {
      return ""; // an address that was cut off
    }
  };

  if (capture && standalone === undefined) {
    const gid = first();
    const wanted = gid && known.includes(gid) ? [base, `${base}/graphs/${encodeURIComponent(gid)}`] : [base];
    for (const href of wanted)
      document.head.append(Object.assign(document.createElement("link"), { rel: "preload", as: "fetch", crossOrigin: "anonymous", href }));
  }
}
