// The path of a file inside what was chosen or dropped, and the files of a dropped folder that are a project's own.

const MAX_FILES = 600; // the server takes 500

/** @type {WeakMap<File, string>} */
const paths = new WeakMap();

/** @param {File} file @param {string} path relative, with `/` */
export function put(file, path) {
  paths.set(file, path);
}

/** @param {File} file @param {string} path @returns {File} the same */
export function withPath(file, path) {
  put(file, path);
  return file;
}

/** @param {File} file @returns {string} `pkg/net.py`; the plain name of a file that came alone */
export function pathOf(file) {
  return paths.get(file) ?? file.name;
}

/** Folders that are no part of a project's own code; the server leaves them out as well. @param {string} path */
export function leftOut(path) {
  return path.split("/").some((part) => part.startsWith(".") || /^(__pycache__|__MACOSX|node_modules|venv|site-packages)$/.test(part));
}

/** All files of a drop, those in folders with their path. @param {DataTransfer} transfer @returns {Promise<File[]>} */
export async function dropped(transfer) {
  // entries are to be had only until the first await
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const files = [...transfer.files];
  if (!entries.some((entry) => entry?.isDirectory)) return files;
  /** @type {File[]} */
  const found = [];
  for (const entry of entries) if (entry) await walk(entry, found);
  return found;
}

/** @param {FileSystemEntry} entry @param {File[]} found */
async function walk(entry, found) {
  if (found.length >= MAX_FILES || leftOut(entry.name)) return;
  if (entry.isFile) {
    const file = await new Promise((done, failed) => /** @type {FileSystemFileEntry} */ (entry).file(done, failed));
    put(file, entry.fullPath.replace(/^\//, ""));
    found.push(file);
    return;
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed)); // at most 100 at a time
    if (!some.length) return;
    for (const each of some) await walk(each, found);
  }
}
