export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;

/** Returns the median and its 95 % confidence interval, without assuming a distribution. */
export function withInterval(numbers: readonly number[], digits = 3): string {
  const sorted = numbers.toSorted((a, b) => a - b);
  const reach = 0.98 * Math.sqrt(sorted.length);
  const low = Math.max(0, Math.floor(sorted.length / 2 - reach));
  const high = Math.min(sorted.length - 1, Math.ceil(sorted.length / 2 + reach));
  const [from = Number.NaN, to = Number.NaN] = [sorted[low], sorted[high]];
  return `${median(sorted).toFixed(digits)} (${from.toFixed(digits)}–${to.toFixed(digits)})`;
}
