import { expect, it } from 'vitest';
import { noCounts } from '#worker/clicks/fold/counts.ts';
import { countPairs } from './count-pairs.ts';

it('clicks of a country beyond the list may be on the referrer that is asked for', () => {
  const counts = {
    ...noCounts(),
    human: 10,
    place: new Map([
      ['IN||', 8],
      ['US||', 2],
    ]),
    ref: new Map([
      ['a.example', 5],
      ['Other', 5],
    ]),
    sources: new Map([
      ['IN|a.example', 1],
      ['IN|Other', 5],
      ['Other', 4],
    ]),
  };
  const filters = [
    { dimension: 'country', value: 'IN' },
    { dimension: 'referrer', value: 'a.example' },
  ] as const;
  const found = countPairs([{ at: 0, counts }], 'referrer', filters, 0);
  expect(found).toMatchObject({ byName: new Map([['a.example', 1]]), unlisted: 4, since: null });
});
