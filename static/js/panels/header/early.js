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
