// Opens a standalone file: gives the viewer's scripts, which the file holds, addresses, and starts them.
// A classic script at the end of the body: a page opened from disk may import nothing by path.
(async () => {
  const words = document.getElementById("opening");
  try {
    const kept = document.querySelector('script[data-kept="scripts"]')?.textContent ?? "";
    const bytes = Uint8Array.from(atob(kept), (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const { page, apart, worker } = await new Response(stream).json();
    const address = (/** @type {string} */ text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    let linked = page;
    for (const [path, text] of Object.entries(apart)) linked = linked.replace(`"kept:${path}"`, `"${address(text)}"`);
    document.documentElement.dataset.worker = address(worker);
    words?.remove();
    await import(address(linked));
  } catch (error) {
    const said = error instanceof Error ? error.message : error;
    const why = `This file could not be opened: ${said}. It takes a browser of 2023 or later, and the whole file.`;
    if (words) document.getElementById("panes")?.append(Object.assign(words, { textContent: why }));
    throw error;
  }
})();
