import { describe, expect, it } from 'vitest';
import { takeTurns } from './take-turns.ts';

describe('takeTurns', () => {
  it('stays within every limit, and returns results in the order of the items', async () => {
    const items = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1', 'd1'];
    const groupOf = (item: string): string => item.slice(0, 1);
    const running: string[] = [];
    const started: string[] = [];
    let [most, mostOfGroup] = [0, 0];
    const results = await takeTurns(
      items,
      async (item) => {
        started.push(item);
        running.push(item);
        most = Math.max(most, running.length);
        const ofGroup = running.filter((other) => groupOf(other) === groupOf(item));
        mostOfGroup = Math.max(mostOfGroup, ofGroup.length);
        // The first ones take longest.
        await scheduler.wait(item === 'a1' ? 20 : 1);
        running.splice(running.indexOf(item), 1);
        return item.toUpperCase();
      },
      { atOnce: 4, shares: [{ of: groupOf, max: 2 }] },
    );
    expect(results).toEqual(items.map((item) => item.toUpperCase()));
    expect([most, mostOfGroup]).toEqual([4, 2]);
    // Others pass those that wait for their share.
    expect(started.slice(0, 4)).toEqual(['a1', 'a2', 'b1', 'b2']);
  });

  it('returns nothing for no items', async () => {
    const work = () => Promise.reject(new Error('not called'));
    expect(await takeTurns([], work, { atOnce: 1, shares: [] })).toEqual([]);
  });
});
