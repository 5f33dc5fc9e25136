export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Draws one of `choices` by weight. */
export function pick<T>(
  random: () => number,
  choices: readonly (readonly [weight: number, value: T])[],
): T {
  const total = choices.reduce((sum, [weight]) => sum + weight, 0);
  let left = random() * total;
  for (const [weight, value] of choices) {
    left -= weight;
    if (left < 0) return value;
  }
  const last = choices.at(-1);
  if (last === undefined) throw new Error('There is nothing to pick from.');
  return last[1];
}

/** Draws the number of events when `mean` are expected (Poisson; for means up to a few hundred). */
export function poisson(random: () => number, mean: number): number {
  if (mean <= 0) return 0;
  if (mean > 60) return poisson(random, mean / 2) + poisson(random, mean / 2);
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count += 1;
  return count;
}
