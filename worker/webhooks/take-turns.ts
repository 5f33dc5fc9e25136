/** Limits concurrent items for which `of` returns the same value to `max`. */
type Share<T> = { of: (item: T) => string; max: number };

/**
 * Runs `work` for every item, at most `atOnce` at a time and within the limits of `shares`, and
 * returns the results in the order of the items. An item that must wait for its share lets later
 * items pass. `work` must not reject.
 */
export async function takeTurns<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  { atOnce, shares }: { atOnce: number; shares: readonly Share<T>[] },
): Promise<R[]> {
  const waiting = [...items.entries()];
  const running = new Map<Promise<void>, T>();
  const results: R[] = [];
  const hasRoom = ([, item]: [number, T]): boolean =>
    shares.every(
      ({ of, max }) => [...running.values()].filter((other) => of(other) === of(item)).length < max,
    );
  while (waiting.length + running.size > 0) {
    const next = running.size < atOnce ? waiting.findIndex(hasRoom) : -1;
    const [entry] = next === -1 ? [] : waiting.splice(next, 1);
    if (entry === undefined) {
      await Promise.race(running.keys());
    } else {
      const [at, item] = entry;
      const run: Promise<void> = work(item).then((result) => {
        results[at] = result;
        running.delete(run);
      });
      running.set(run, item);
    }
  }
  return results;
}
