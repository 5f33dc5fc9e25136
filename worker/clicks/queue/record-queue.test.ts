import { createMessageBatch, env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { observeBusy, takeWindow } from '#worker/metrics/counters.ts';
import { rowsOf } from '#worker/testing/clicks.ts';
import { factOf } from '#worker/testing/system-facts.ts';
import { recordQueue } from './record-queue.ts';

const NOW = Date.UTC(2026, 10, 20, 15);

/** Records a batch of messages with these attempts and ages. Returns the rows stored then. */
async function record(
  queue: string,
  now: number,
  messages: readonly [attempts: number, ageMs: number][],
  failed = 0,
) {
  const batch = createMessageBatch(
    queue,
    messages.map(([attempts, ageMs], i) => ({
      id: String(i),
      timestamp: new Date(now - ageMs),
      attempts,
      body: null,
    })),
  );
  await recordQueue(openDb(env.DB), batch, failed, now);
  return (await rowsOf('system_facts')).map(({ name, at, value }) =>
    Object.assign(JSON.parse(String(value)), { name, at }),
  );
}

describe('recordQueue', () => {
  it('stores the age of the oldest first delivery, for each queue', async () => {
    takeWindow();
    expect(
      await record('hop-clicks', NOW, [
        [1, 2_000],
        [1, 9_000],
        [2, HOUR_MS],
      ]),
    ).toEqual([{ name: 'queue:clicks', at: NOW, lagMs: 9_000, failed: 0 }]);
    expect(await record('hop-clicks-dead', NOW, [[3, HOUR_MS]], 1)).toEqual([
      { name: 'queue:clicks', at: NOW, lagMs: 9_000, failed: 0 },
      { name: 'queue:dead', at: NOW, lagMs: 0, failed: 1 },
    ]);
    expect(await record('hop-clicks-2', NOW, [[1, 3_000]])).toContainEqual({
      name: 'queue:clicks-2',
      at: NOW,
      lagMs: 3_000,
      failed: 0,
    });
    expect(takeWindow().filter(({ name }) => name === 'hop.queue.lag')).toMatchObject([
      { values: ['clicks'], sum: 9_000 },
      { values: ['dead'], sum: 0 },
      { values: ['clicks-2'], sum: 3_000 },
    ]);
  });

  it('stores no negative age, a row a minute, and a row when the clock is set back', async () => {
    const later = NOW + MINUTE_MS;
    expect(await record('clicks', later, [[1, -5_000]])).toContainEqual({
      name: 'queue:clicks',
      at: later,
      lagMs: 0,
      failed: 0,
    });
    await record('clicks', later + MINUTE_MS - 1, [[1, 1]]);
    expect((await rowsOf('system_facts'))[0]).toMatchObject({ at: later });
    await record('clicks', later - HOUR_MS, [[1, 1]]);
    expect((await rowsOf('system_facts'))[0]).toMatchObject({ at: later - HOUR_MS });
  });

  it('stores how long a database was busy, if that was a tenth of the time', async () => {
    const start = NOW + 10 * HOUR_MS;
    const messages: [number, number][] = [[1, 1]];
    await record('clicks', start, messages);
    observeBusy('CLICKS_1', 5_900);
    await record('clicks', start + MINUTE_MS, messages);
    expect(await factOf('busy:CLICKS_1')).toBeNull();
    observeBusy('CLICKS_1', 6_000);
    await record('clicks', start + 2 * MINUTE_MS, messages);
    observeBusy('CLICKS_1', 40_000);
    await record('clicks', start + 3 * MINUTE_MS, messages);
    expect(await factOf('busy:CLICKS_1')).toMatchObject({ counts: { ms: 46_000 } });
  });
});
