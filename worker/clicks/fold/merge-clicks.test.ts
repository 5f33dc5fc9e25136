import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayNumber } from '#contract/reports/periods.ts';
import { EXACT_VISITORS } from '#contract/limits.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import type { ClickEvent } from '#worker/redirect/click-event.ts';
import { makeClick, makeWindow, UA_BOT, UA_CHROME, UA_IPHONE } from '#worker/testing/clicks.ts';
import { aggregateClicks } from './aggregate-clicks.ts';
import {
  addCounts,
  addDay,
  addSums,
  DIM_CAPS,
  FIGURES,
  noCounts,
  noSums,
  type ClickCounts,
} from './counts.ts';
import { decodeCounts, encodeCounts, parseCounts } from './counts-codec.ts';
import { mergeClicks, noStoredCounts, type StoredLinkCounts } from './merge-clicks.ts';
import { createUserAgentParser } from '#worker/http/user-agent.ts';
import { addVisitors, hashVisitor } from './visitor-set.ts';

const NOW = Date.UTC(2026, 10, 20, 15);
const RUNS = { numRuns: 100, seed: 1 };

const click: fc.Arbitrary<ClickEvent> = fc
  .record({
    back: fc.integer({ min: 0, max: 400 * DAY_MS }),
    recently: fc.boolean(),
    ua: fc.constantFrom(UA_CHROME, UA_IPHONE, UA_BOT),
    r: fc.constantFrom('', 'a.example', 'b.example', 'c.example'),
    y: fc.string({ maxLength: 5 }),
    k: fc.constantFrom('', 'v1', 'v2', 'v3'),
    isScan: fc.boolean(),
    u: fc.constantFrom('', 'mail||', '|email|spring'),
  })
  .map(({ back, recently, isScan, u, ...facts }) =>
    makeClick(1, {
      ...facts,
      ...(isScan && { q: 1 }),
      ...(u !== '' && { u }),
      t: NOW - (recently ? back % (2 * DAY_MS) : back),
    }),
  );

/** Merges each group of clicks after the other, with everything kept as the database would. */
function mergeAll(groups: readonly (readonly ClickEvent[])[]) {
  const link = { ...noStoredCounts(), totals: noSums() };
  for (const group of groups) {
    const clicks = aggregateClicks([makeWindow([...group])], createUserAgentParser()).get(1);
    if (clicks === undefined) continue;
    const change = mergeClicks(link, clicks, NOW);
    addSums(link.totals, change.added);
    const { rev, first, last, day: latest, counts: ofLatest, visitorSets } = change;
    Object.assign(link, { rev, first, last, day: latest, counts: ofLatest, visitorSets });
    for (const [day, counts] of change.days) link.days.set(day, counts);
  }
  return link;
}

const sorted = (counts: ClickCounts) =>
  [counts.times, counts.place, counts.agent, counts.ref, counts.utm, counts.scans].map((tally) =>
    [...tally].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
/**
 * Everything that a link counts, without its revision and its visitors, who are told apart for two
 * days only.
 */
function countsOf({ day: latest, counts: ofLatest, first, last, days }: StoredLinkCounts) {
  const all = new Map([...days].map(([day, counts]) => [`day ${day}`, decodeCounts(counts)]));
  if (latest > 0) all.set(`day ${latest}`, decodeCounts(ofLatest));
  const rows = [...all].map(([key, counts]) => [key, counts.human, counts.bot, sorted(counts)]);
  return JSON.stringify([first, last, rows.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))]);
}

describe('mergeClicks', () => {
  it('counts the same, in whatever order and groups clicks arrive', () => {
    fc.assert(
      fc.property(
        fc.array(click, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 1, max: 6 }),
        fc.nat(),
        (clicks, size, turn) => {
          const turned = [
            ...clicks.slice(turn % clicks.length),
            ...clicks.slice(0, turn % clicks.length),
          ].toReversed();
          const groups = Array.from({ length: Math.ceil(clicks.length / size) }, (_, i) =>
            turned.slice(i * size, (i + 1) * size),
          );
          expect(countsOf(mergeAll(groups))).toBe(countsOf(mergeAll([clicks])));
        },
      ),
      RUNS,
    );
  });

  it('the totals equal the sum of the days', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(click, { maxLength: 6 }), { minLength: 1, maxLength: 6 }),
        (groups) => {
          const { totals, days, counts: ofLatest } = mergeAll(groups);
          const all = [...days.values(), ofLatest].map(decodeCounts);
          for (const figure of FIGURES)
            expect(all.reduce((sum, counts) => sum + counts[figure], 0)).toBe(totals[figure]);
          expect(totals.human + totals.bot).toBe(groups.flat().length);
        },
      ),
      RUNS,
    );
  });

  it('merging changes none of its arguments, and raises the revision by one', () => {
    fc.assert(
      fc.property(
        fc.array(click, { minLength: 1 }),
        fc.array(click, { minLength: 1 }),
        (some, more) => {
          const link = mergeAll([some]);
          const before = JSON.stringify([link.rev, countsOf(link)]);
          const clicks = aggregateClicks([makeWindow(more)], createUserAgentParser()).get(1);
          if (clicks === undefined) throw new Error('no clicks');
          expect(mergeClicks(link, clicks, NOW).rev).toBe(link.rev + 1);
          expect(JSON.stringify([link.rev, countsOf(link)])).toBe(before);
        },
      ),
      RUNS,
    );
  });

  it('a visitor is seen in the hour of the first click, whatever the order of clicks', () => {
    const at = (hour: number) => makeClick(1, { t: NOW - (NOW % DAY_MS) + hour * HOUR_MS, k: 'v' });
    for (const hours of [
      [9, 7, 8],
      [7, 9, 8],
      [8, 9, 7],
    ])
      expect(decodeCounts(mergeAll([hours.map(at)]).counts).seen).toEqual(new Map([['7', 1]]));
  });

  it('two late days reopen the months from the earlier one on', () => {
    const late = [30, 90].map((days) => makeClick(1, { t: NOW - days * DAY_MS }));
    const clicks = aggregateClicks([makeWindow(late)], createUserAgentParser()).get(1);
    if (clicks === undefined) throw new Error('no clicks');
    expect(mergeClicks(noStoredCounts(), clicks, NOW).reopenFrom).toBe(dayNumber(NOW) - 90);
  });
});

describe('UTM values', () => {
  const utmOf = (own: string) => {
    const clicks = [
      makeClick(1),
      makeClick(1, { u: 'mail||sale' }),
      makeClick(1, { u: '|cpc|' }),
      makeClick(1, { ua: UA_BOT, u: 'x||' }),
    ];
    const added = aggregateClicks([makeWindow(clicks)], createUserAgentParser()).get(1);
    if (added === undefined) throw new Error('no clicks');
    return Object.fromEntries(
      decodeCounts(mergeClicks({ ...noStoredCounts(), utm: own }, added, NOW).counts).utm,
    );
  };

  it('UTM values are those that the link passed on, of clicks of people that had any', () => {
    expect(utmOf('')).toEqual({ 'mail||sale': 1, '|cpc|': 1 });
  });

  it('UTM values of the target win over what the link passed on', () => {
    expect(utmOf('own||spring')).toEqual({ 'own||spring': 2, 'own|cpc|spring': 1 });
  });
});

describe('stored counts', () => {
  const values = fc.dictionary(
    fc.oneof(
      fc.string().map((text) => text.replace(/[\p{Cc}\p{Cs}]/gu, ' ')),
      fc.stringMatching(/^\d{1,3}$/),
    ),
    fc.integer({ min: 1 }),
    { maxKeys: 8 },
  );
  const tally = values.map((value) => new Map(Object.entries(value)));
  const figure = fc.nat();
  const sums = { human: figure, bot: figure, prefetch: figure, visitors: figure };
  const counts: fc.Arbitrary<ClickCounts> = fc.record({
    ...sums,
    times: tally,
    seen: tally,
    place: tally,
    agent: tally,
    ref: tally,
    utm: tally,
    scans: tally,
    destination: tally,
    destinationSeen: tally,
    // Their own tests are in pairs-codec.test.ts.
    devices: fc.constant(new Map()),
    sources: fc.constant(new Map()),
  });

  it('stored counts are read as they were written', () => {
    fc.assert(
      fc.property(counts, (all) => {
        const { devices: _, sources: __, ...read } = parseCounts(JSON.stringify(encodeCounts(all)));
        expect({ ...read, devices: new Map(), sources: new Map() }).toEqual(all);
      }),
      RUNS,
    );
  });

  it('stored counts omit empty parts at their end', () => {
    const plain = {
      ...noCounts(),
      human: 2,
      times: new Map([['9', 2]]),
      ref: new Map([['a.example', 2]]),
    };
    expect(JSON.stringify(encodeCounts(plain))).toBe('[2,0,0,0,[9,2],[],[],[],["a.example",2]]');
    expect(decodeCounts([2, 0, 0, 0, ['9', 2], [], [], [], ['a.example', 2]])).toEqual(plain);
    const scanned = { ...plain, scans: new Map([['9', 1]]) };
    expect(JSON.stringify(encodeCounts(scanned))).toBe(
      '[2,0,0,0,[9,2],[],[],[],["a.example",2],[],[9,1]]',
    );
  });

  it('stored counts omit visitors if every human click is by a different one', () => {
    const times = new Map([
      ['9', 2],
      ['9b', 4],
      ['10', 1],
    ]);
    const seen = new Map([
      ['9', 2],
      ['10', 1],
    ]);
    const day = { ...noCounts(), human: 3, bot: 4, visitors: 3, times, seen };
    expect(JSON.stringify(encodeCounts(day))).toBe('[3,4,0,3,[9,2,"9b",4,10,1],0,[],[],[]]');
    expect(decodeCounts(encodeCounts(day))).toEqual(day);
    const others = { ...day, seen: new Map([['9', 3]]) };
    expect(decodeCounts(encodeCounts(others))).toEqual(others);
  });

  it('stored counts never exceed the caps and overflow values, and lose no click', () => {
    const refs = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 9 })),
      { maxLength: 150 },
    );
    fc.assert(
      fc.property(fc.array(refs, { maxLength: 8 }), (days) => {
        const [all, month] = [noCounts(), noCounts()];
        let clicks = 0;
        for (const day of days) {
          const more = { ...noCounts(), ref: new Map(day.map(([ref, n]) => [`r${ref}`, n])) };
          clicks += [...more.ref.values()].reduce((sum, n) => sum + n, 0);
          addCounts(all, more);
          addDay(month, more, 1);
        }
        expect(all.ref.size).toBeLessThanOrEqual(DIM_CAPS.ref + 1);
        for (const { ref } of [all, month])
          expect([...ref.values()].reduce((sum, n) => sum + n, 0)).toBe(clicks);
        expect(month.ref.has('Other')).toBe(false);
      }),
      RUNS,
    );
  });
});

describe('addVisitors', () => {
  const firstClicks = (from: number, to: number, hour: number, destination = '') =>
    new Map(
      Array.from({ length: to - from }, (_, i) => [
        hashVisitor(`visitor ${from + i}`),
        { at: hour, hour, destination },
      ]),
    );
  const visitors = (from: number, to: number) => firstClicks(from, to, 9);

  it(`counts up to ${EXACT_VISITORS} visitors exactly`, () => {
    const { stored, added } = addVisitors('', visitors(0, EXACT_VISITORS));
    expect(added).toBe(EXACT_VISITORS);
    expect(addVisitors(stored, visitors(0, EXACT_VISITORS))).toEqual({
      stored,
      added: 0,
      byHour: new Map(),
      byDestination: new Map(),
    });
  });

  it('counts a visitor in the hour of their first click, an estimate in the latest', () => {
    const some = new Map([...firstClicks(0, 2, 3), ...firstClicks(2, 3, 7)]);
    expect(addVisitors('', some).byHour).toEqual(
      new Map([
        ['3', 2],
        ['7', 1],
      ]),
    );
    const many = new Map([...firstClicks(0, 4_000, 7), ...firstClicks(4_000, 12_000, 3)]);
    const { added, byHour } = addVisitors('', many);
    expect(byHour).toEqual(new Map([['7', added]]));
  });

  it('counts a visitor at the destination of the first click, estimates in proportion', () => {
    const { stored, byDestination } = addVisitors(
      '',
      new Map([
        ...firstClicks(0, 3, 9, 'a'),
        ...firstClicks(3, 4, 9, 'b'),
        ...firstClicks(4, 9, 9),
      ]),
    );
    expect(Object.fromEntries(byDestination)).toEqual({ a: 3, b: 1 });
    const again = addVisitors(stored, firstClicks(2, 5, 9, 'b'));
    expect(Object.fromEntries(again.byDestination)).toEqual({});
    const many = addVisitors(
      '',
      new Map([...firstClicks(0, 9_000, 9, 'a'), ...firstClicks(9_000, 12_000, 9, 'b')]),
    );
    const [a = 0, b = 0] = ['a', 'b'].map((destination) => many.byDestination.get(destination));
    expect(Math.abs(a + b - many.added)).toBeLessThan(2);
    expect(a / b).toBeCloseTo(3, 2);
  });

  it.each([10_000, 200_000])(
    'estimates %i visitors within 4 %, in whatever order they come',
    (n) => {
      const once = addVisitors('', visitors(0, n));
      expect(Math.abs(once.added / n - 1)).toBeLessThan(0.04);
      let [stored, sum] = ['', 0];
      for (let from = n; from > 0; from -= n / 10) {
        const step = addVisitors(stored, visitors(from - n / 10, from));
        expect(step.added).toBeGreaterThanOrEqual(0);
        [stored, sum] = [step.stored, sum + step.added];
      }
      expect([stored, sum]).toEqual([once.stored, once.added]);
    },
  );
});
