// Runs a module and all it imports in a worker of a standalone file. A classic script that makes the modules' addresses itself:
// where a page was opened from disk, no worker may load a module whose address the page made.
onmessage = async ({ data: { modules, entry } }) => {
  /** @type {MessageEvent[]} */
  const early = [];
  onmessage = (event) => early.push(event);
  /** @type {Map<string, string>} */
  const urls = new Map();
  for (const [path, text] of modules) {
    const linked = text.replace(/kept-module:([\w./-]+)/g, (/** @type {string} */ _all, /** @type {string} */ name) => urls.get(name) ?? "");
    urls.set(path, URL.createObjectURL(new Blob([linked], { type: "text/javascript" })));
  }
  await import(urls.get(entry) ?? "");
  for (const event of early) self.onmessage?.(event);
};
