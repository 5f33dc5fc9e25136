import { expect, it } from 'vitest';
import { median, withInterval } from './median.ts';

it('the median and its interval do not depend on the order', () => {
  const numbers = Array.from({ length: 100 }, (_, at) => 100 - at);
  expect([median([9, 1, 3]), median(numbers)]).toEqual([3, 51]);
  expect(withInterval(numbers, 1)).toBe('51.0 (41.0–61.0)');
  expect(withInterval([2, 1])).toBe('2.000 (1.000–2.000)');
});
