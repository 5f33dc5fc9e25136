/** At most `max` at once of those items for which `of` returns the same. */
type Share<T> = { of: (item: T) => string; max: number };

/**
 * Runs `work` for every item, `atOnce` of them at a time and no more of a kind than its shares
 * allow, and returns the results in the order of the items. An item whose share is used up is
 * overtaken by the next one that has room. `work` must not reject.
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
