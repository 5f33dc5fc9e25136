/**
 * A map of bounded size that forgets what has not been used for longest, in two generations: a full one becomes the old
 * one, whatever is used moves to the new one, and what nobody used goes with the old one. Unlike a strict order of use,
 * a hit writes nothing; that order alone would be a twentieth of a redirect.
 */
export function generations<T>(most: number) {
  let young = new Map<string, T>();
  let old = new Map<string, T>();

  const set = (key: string, value: T): void => {
    if (young.size >= most && !young.has(key)) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  };

  return {
    get(key: string): T | undefined {
      const value = young.get(key);
      if (value !== undefined) return value;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    set,
    delete(key: string): void {
      young.delete(key);
      old.delete(key);
    },
    size: () => young.size + old.size,
  };
}
