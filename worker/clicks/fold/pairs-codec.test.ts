import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, addCounts, noCounts, PAIR_CAPS, sumOf, type ClickCounts } from './counts.ts';
import { encodeCounts, parseCounts, type StoredCounts } from './counts-codec.ts';

type Click = { country: string; device: string; source: string };

function countsOf(clicks: readonly Click[]): ClickCounts {
  const counts = noCounts();
  for (const { country, device, source } of clicks) {
    counts.human += 1;
    add(counts.times, '9', 1);
    add(counts.place, `${country}|KA|Bengaluru`, 1);
    add(counts.agent, `${device}|Chrome|Windows`, 1);
    add(counts.ref, source, 1);
    add(counts.devices, `${country}|${device}`, 1);
    add(counts.sources, `${country}|${source}`, 1);
  }
  return counts;
}

const store = (counts: ClickCounts): StoredCounts =>
  JSON.parse(JSON.stringify(encodeCounts(counts)));
const load = (stored: StoredCounts): ClickCounts => parseCounts(JSON.stringify(stored));
/** The counts as a release without pairs writes them. */
const withoutPairs = (stored: StoredCounts): StoredCounts => stored.slice(0, 11);

const IN: Click = { country: 'IN', device: 'Mobile', source: '' };
const US: Click = { country: 'US', device: 'Desktop', source: 'news.example' };

describe('stored pairs', () => {
  it('pairs are read as they were written', () => {
    const click = fc.record({
      country: fc.constantFrom('', 'IN', 'US', 'DE', 'GB'),
      device: fc.constantFrom('Mobile', 'Desktop', 'Tablet'),
      source: fc.constantFrom('', 'a.example', 'b.example', 'c.example', 'Other'),
    });
    fc.assert(
      fc.property(fc.array(click, { maxLength: 40 }), (clicks) => {
        const counts = countsOf(clicks);
        expect(load(store(counts))).toEqual(counts);
      }),
    );
  });

  it('a day with one country, or with one device and one source, stores no pairs', () => {
    expect(store(countsOf([IN, { ...US, country: 'IN' }]))).toHaveLength(9);
    expect(store(countsOf([IN, { ...IN, country: 'US' }]))).toHaveLength(9);
    expect(store(countsOf([IN, US]))).toHaveLength(13);
  });

  it('pairs of an earlier release are known for one country, otherwise empty for good', () => {
    const one = withoutPairs(store(countsOf([IN, { ...US, country: 'IN' }])));
    expect(load(one).devices).toEqual(
      new Map([
        ['IN|Mobile', 1],
        ['IN|Desktop', 1],
      ]),
    );
    const two = load(withoutPairs(store(countsOf([IN, US]))));
    expect([two.devices.size, two.sources.size]).toEqual([0, 0]);
    addCounts(two, countsOf([IN, US]));
    const later = load(store(two));
    expect(later).toMatchObject({ human: 4, devices: new Map(), sources: new Map() });
  });

  it('a day keeps pairs up to the cap, and counts the others together', () => {
    const counts = noCounts();
    const clicks = Array.from({ length: 100 }, (_, i) =>
      ['Mobile', 'Desktop'].map((device) => ({
        country: `C${i}`,
        device,
        source: `s${i}.example`,
      })),
    ).flat();
    addCounts(counts, countsOf(clicks));
    const { devices } = load(store(counts));
    expect(devices.size).toBe(PAIR_CAPS.devices + 1);
    expect(devices.get('Other')).toBe(200 - PAIR_CAPS.devices);
    expect(sumOf(devices)).toBe(counts.human);
  });
});
