// Where this page stands: at the server, inside a page of somebody else, or in a file of its own.

/** Is it a standalone file, without a server behind it? */
export function isStandalone() {
  return document.documentElement.dataset.standalone !== undefined;
}
