import { expect, it } from 'vitest';
import { rankCounts } from './card-views.tsx';

it('orders by clicks, then by name', () => {
  expect(rankCounts({ b: 1, a: 1, c: 9, d: 0 })).toEqual([
    { name: 'c', clicks: 9 },
    { name: 'a', clicks: 1 },
    { name: 'b', clicks: 1 },
    { name: 'd', clicks: 0 },
  ]);
});
