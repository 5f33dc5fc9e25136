import { createExecutionContext, createMessageBatch, env, getQueueResult } from 'cloudflare:test';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { KEEP_SET_ASIDE_DAYS } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import {
  deleteClicks,
  makeClick,
  makeLinks,
  makeWindow,
  rowsOf,
  UA_BOT,
  UA_IPHONE,
} from '#worker/testing/clicks.ts';
import { takeWindow } from '#worker/metrics/counters.ts';
import { logLines } from '#worker/testing/log-lines.ts';
import { consumeBatch } from './consume-batch.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { expireSetAside, replaySetAside, setAside } from './set-aside.ts';

const NOW = Date.UTC(2026, 10, 20, 13);
const db = openDb(env.DB);
const run = (sql: string) => env.DB.prepare(sql).run();
const clicks = [
  makeClick(1, { k: 'some visitor', ua: UA_IPHONE }),
  makeClick(1, { k: 'some visitor', ua: UA_BOT }),
  makeClick(1, { ua: '' }),
];
const totals = () => env.DB.prepare('SELECT human, bot FROM link_totals WHERE link_id = 1').first();

/** Delivers a window once from a queue. Returns whether it was acknowledged. */
async function deliver(id: string, attempts: number, queue = 'clicks-dead'): Promise<boolean> {
  const message = { id: 'm', timestamp: new Date(NOW), attempts, body: makeWindow(clicks, id) };
  const batch = createMessageBatch(queue, [message]);
  await consumeBatch(batch, env, NOW);
  return (await getQueueResult(batch, createExecutionContext())).explicitAcks.length === 1;
}
const reject = () =>
  run(
    `CREATE TRIGGER refuse BEFORE INSERT ON link_totals BEGIN SELECT raise(ABORT, 'refused'); END`,
  );
const accept = () => run('DROP TRIGGER IF EXISTS refuse');

beforeAll(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  await makeLinks([1]);
});
beforeEach(async () => {
  await accept();
  await deleteClicks();
  for (const name of ['set_aside_windows', 'system_facts']) await run(`DELETE FROM ${name}`);
});

describe('a window that D1 rejects', () => {
  it('only the dead-letter queue sets a window aside, after several attempts', async () => {
    await reject();
    expect(await deliver('bad', 9, 'clicks')).toBe(false);
    expect(await deliver('bad', 4)).toBe(false);
    expect(await rowsOf('set_aside_windows')).toEqual([]);
    expect(await deliver('bad', 5)).toBe(true);
    expect(await rowsOf('set_aside_windows')).toMatchObject([
      { id: 'bad', at: NOW, clicks: 3, reason: expect.stringContaining('refused') },
    ]);
  });

  it('a rejected window counts once, whatever else delivers it', async () => {
    await reject();
    await deliver('bad', 5);
    expect(await replaySetAside(db, NOW)).toEqual({ windows: 0, clicks: 0, failed: 1, left: 1 });
    await accept();
    expect(await replaySetAside(db, NOW)).toEqual({ windows: 1, clicks: 3, failed: 0, left: 0 });
    await deliver('bad', 6);
    await setAside(db, makeWindow(clicks, 'bad'), new Error('again'), NOW);
    expect(await replaySetAside(db, NOW)).toEqual({ windows: 1, clicks: 0, failed: 0, left: 0 });
    expect(await totals()).toEqual({ human: 1, bot: 2 });
  });

  it('[T31] a window set aside has no visitor ids and agents, and counts the same device', async () => {
    await setAside(db, makeWindow(clicks, 'later'), new Error('refused'), NOW);
    const [stored] = await rowsOf('set_aside_windows');
    expect(JSON.stringify(stored)).not.toMatch(/some visitor|Mozilla|AppleWebKit/);
    const agents = () => env.DB.prepare('SELECT recent FROM link_totals').first<string>('recent');
    await replaySetAside(db, NOW);
    const replayed = await agents();
    await deleteClicks();
    await foldWindows(env.DB, [makeWindow(clicks, 'later')], NOW);
    expect(replayed).toBe(await agents());
    expect(replayed).toContain('Mobile');
  });

  it('a rejected window counts as lost once it can no longer be counted exactly', async () => {
    await setAside(db, makeWindow(clicks, 'old'), new Error('refused'), NOW);
    const lines = logLines();
    const lost = () => takeWindow().filter(({ name }) => name === 'hop.clicks.lost');
    expect(await expireSetAside(db, NOW + KEEP_SET_ASIDE_DAYS * DAY_MS)).toBe(0);
    expect([lost(), lines()]).toEqual([[], []]);
    expect(await expireSetAside(db, NOW + KEEP_SET_ASIDE_DAYS * DAY_MS + 1)).toBe(3);
    expect(lost()).toMatchObject([{ sum: 3 }]);
    expect(lines()).toMatchObject([{ event: 'click_lost', clicks: 3 }]);
    expect(await rowsOf('set_aside_windows')).toEqual([]);
    expect(await rowsOf('system_facts')).toMatchObject([
      { name: expect.stringMatching(/^lost:/), value: '3' },
    ]);
  });

  it('a window ages from when it was first set aside, however often it is tried', async () => {
    await setAside(db, makeWindow(clicks, 'old'), new Error('first'), NOW);
    await setAside(db, makeWindow(clicks, 'old'), new Error('second'), NOW + DAY_MS);
    expect(await rowsOf('set_aside_windows')).toMatchObject([
      { at: NOW, reason: expect.stringContaining('second') },
    ]);
    await reject();
    await replaySetAside(db, NOW + 2 * DAY_MS);
    expect(await rowsOf('set_aside_windows')).toMatchObject([
      { at: NOW, tried_at: NOW + 2 * DAY_MS, reason: expect.stringContaining('refused') },
    ]);
    expect(await expireSetAside(db, NOW + 7 * DAY_MS + 1)).toBe(3);
  });

  it('the reason of a window that is set aside has at most 300 characters', async () => {
    await setAside(db, makeWindow(clicks, 'long'), new Error('x'.repeat(999)), NOW);
    const [row] = await rowsOf('set_aside_windows');
    expect(String(row?.['reason'])).toHaveLength(300);
  });

  it('a window stays in the queue when too many are set aside', async () => {
    await run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
       INSERT INTO set_aside_windows (id, at, tried_at, clicks, reason, body) SELECT 'w' || i, 1, 1, 1, '', '' FROM n`,
    );
    await reject();
    expect(await deliver('bad', 5)).toBe(false);
    expect(await replaySetAside(db, NOW)).toMatchObject({ windows: 0, failed: 50, left: 200 });
  });

  it('a rejected window does not block later ones: the next replay begins with them', async () => {
    await run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
       INSERT INTO set_aside_windows (id, at, tried_at, clicks, reason, body) SELECT 'w' || i, 1, 1, 1, '', '' FROM n`,
    );
    await setAside(db, makeWindow(clicks, 'good'), new Error('refused'), NOW - 1_000);
    expect(await replaySetAside(db, NOW)).toMatchObject({ windows: 0, failed: 50, left: 51 });
    expect(await replaySetAside(db, NOW + 1)).toMatchObject({ windows: 1, clicks: 3 });
  });
});
