import { describe, expect, it } from 'vitest';
import { noCounts, type ClickCounts } from '#worker/clicks/fold/counts.ts';
import { decodeCounts } from '#worker/clicks/fold/counts-codec.ts';
import {
  addLink,
  applyChange,
  lastDays,
  subtractLink,
  type AccountChanges,
  type RolledUp,
} from './account-counts.ts';

const dayOf = (human: number, visitors = 0): ClickCounts => ({ ...noCounts(), human, visitors });
const sums = (human: number) => ({ human, bot: 0, prefetch: 0, visitors: 0 });
const rolledUp = (human: number, days: [number, ClickCounts][]): RolledUp => ({
  user: 'u',
  totals: sums(human),
  days: new Map(days),
});
const current = (human: number, days: [number, ClickCounts][]) => ({
  rev: 2,
  totals: sums(human),
  days: new Map(days),
});
const change = (links: [number, number][], more = noCounts(), less = noCounts()) => ({
  more,
  less,
  links: new Map(links),
});

describe('addLink', () => {
  it('adds what a link has counted since, and nothing if a day before has grown', () => {
    const before = rolledUp(5, [[10, dayOf(2)]]);
    const changes: AccountChanges = new Map();
    expect(
      addLink(
        changes,
        7,
        before,
        current(6, [
          [10, dayOf(2)],
          [11, dayOf(1)],
        ]),
      ),
    ).toBe(true);
    expect([...changes.keys()]).toEqual([11]);
    expect(changes.get(11)?.links).toEqual(new Map([[7, 1]]));
    const late: AccountChanges = new Map();
    expect(
      addLink(
        late,
        7,
        before,
        current(7, [
          [10, dayOf(2)],
          [11, dayOf(1)],
        ]),
      ),
    ).toBe(false);
    expect(late.size).toBe(0);
  });
});

describe('subtractLink', () => {
  it('subtracts what was added of a link, and nothing if that is unknown', () => {
    const before = rolledUp(5, [[10, dayOf(2)]]);
    const days: [number, ClickCounts][] = [
      [8, dayOf(3)],
      [10, dayOf(4)],
      [11, dayOf(9)],
    ];
    const changes: AccountChanges = new Map();
    expect(subtractLink(changes, 7, before, current(16, days))).toBe(true);
    expect([...changes].map(([day, { less }]) => [day, less.human])).toEqual([
      [8, 3],
      [10, 2],
    ]);
    const late: AccountChanges = new Map();
    const grown: [number, ClickCounts][] = [
      [8, dayOf(4)],
      [10, dayOf(4)],
    ];
    expect(subtractLink(late, 7, before, current(8, grown))).toBe(false);
    expect(late.size).toBe(0);
  });
});

describe('applyChange', () => {
  it('a day of an account keeps twice as many values as one of a link', () => {
    const sources = Array.from({ length: 250 }, (_, at) => [`${at}.example`, 1] as const);
    const more = { ...noCounts(), human: 250, ref: new Map(sources) };
    const { counts } = applyChange(undefined, change([], more), true);
    expect(decodeCounts(counts).ref.size).toBe(2 * 100 + 1);
  });

  it('keeps the 200 most clicked links of a day, the oldest of equal ones first', () => {
    const links = Array.from({ length: 202 }, (_, i): [number, number] => [202 - i, 5]);
    const { top } = applyChange(undefined, change([...links, [900, 9], [1, 0]]), true);
    expect(top).toHaveLength(400);
    expect([top.slice(0, 4), top.slice(-2)]).toEqual([
      [900, 9, 2, 5],
      [200, 5],
    ]);
    const stored = { counts: '[0,0,0,0]', top: '[7,3,8,2]' };
    expect(applyChange(stored, change([[7, 0]]), true).top).toEqual([8, 2]);
  });

  it('keeps a click of a value that is counted under Other when a link leaves', () => {
    const stored = JSON.stringify([3, 0, 0, 0, [], [], [], [], ['a', 1, 'Other', 2]]);
    const less = { ...noCounts(), human: 1, ref: new Map([['b', 1]]) };
    const { counts } = applyChange(
      { counts: stored, top: '[]' },
      change([], noCounts(), less),
      true,
    );
    expect(decodeCounts(counts)).toMatchObject({
      human: 2,
      ref: new Map([
        ['a', 1],
        ['Other', 1],
      ]),
    });
  });

  it('keeps only the sums of a day without details', () => {
    const more = { ...dayOf(4, 3), ref: new Map([['a', 4]]) };
    expect(
      applyChange({ counts: '[1,2,3,1]', top: '[]' }, change([[1, 4]], more, dayOf(1)), false),
    ).toEqual({ counts: [4, 2, 3, 4], top: [] });
  });
});

describe('lastDays', () => {
  it('returns the last two days, of which the first must have details', () => {
    const days = new Map([
      [12, dayOf(1)],
      [10, dayOf(1)],
      [11, dayOf(1)],
    ]);
    const kept = (firstDetailed: number) => lastDays(days, firstDetailed).map(([day]) => day);
    expect([kept(11), kept(12), kept(13)]).toEqual([[11, 12], [12], [12]]);
  });
});
