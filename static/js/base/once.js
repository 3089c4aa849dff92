// Work that is asked for several times while it is under way is done once.

/**
 * @template T
 * @param {(key: string) => Promise<T>} work
 * @returns {(key: string) => Promise<T>} gives what is under way for the key, or begins it
 */
export function once(work) {
  /** @type {Map<string, Promise<T>>} */
  const under = new Map();
  return (key) => {
    const running = under.get(key) ?? work(key).finally(() => under.delete(key));
    under.set(key, running);
    return running;
  };
}
