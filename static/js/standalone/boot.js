// Opens a standalone file: makes an address of every module it holds, imported ones first, and starts the viewer.
// A classic script at the end of the body: a page opened from disk may import nothing by path.
(async () => {
  const words = document.getElementById("opening");
  try {
    const kept = new Map([...document.querySelectorAll("script[data-kept]")].map((each) => [each.getAttribute("data-kept"), each]));

    /** What a piece of the file holds. @param {string} name @returns {Promise<{status: number, text: string}>} */
    const read = async (name) => {
      const piece = kept.get(name);
      if (!piece) throw new Error(`${name} is not in this file`);
      const bytes = Uint8Array.from(atob(piece.textContent ?? ""), (char) => char.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      return { status: Number(piece.getAttribute("data-status")), text: await new Response(stream).text() };
    };

    /** @type {Map<string, string>} */
    const urls = new Map();
    const scripts = JSON.parse((await read("scripts")).text);
    for (const [path, text] of scripts.page) {
      const linked = text.replace(/kept-module:([\w./-]+)/g, (/** @type {string} */ _all, /** @type {string} */ name) => urls.get(name) ?? "");
      urls.set(path, URL.createObjectURL(new Blob([linked], { type: "text/javascript" })));
    }
    const { start } = await import(urls.get("js/standalone/start.js") ?? "");
    words?.remove();
    await start({ names: [...kept.keys()], read }, scripts);
  } catch (error) {
    if (words) words.textContent = `This file could not be opened: ${error instanceof Error ? error.message : error}. A browser of 2023 or later is needed.`;
    throw error;
  }
})();
