import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { createExecutionContext, createMessageBatch, env, getQueueResult } from 'cloudflare:test';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import type { ClickWindow } from '#worker/redirect/click-event.ts';
import {
  deleteClicks,
  makeClick,
  makeLinks,
  makeWindow,
  rowsOf,
  storedDays,
} from '#worker/testing/clicks.ts';
import { deleteExpiredData } from '#worker/clicks/maintenance/delete-expired-data.ts';
import { takeWindow } from '#worker/metrics/counters.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { clickWindowSchema } from './click-window-schema.ts';
import { consumeBatch } from './consume-batch.ts';
import { FAULTS_MAX, storeFaults } from './store-faults.ts';
import { beforeBatch } from '#worker/testing/faults.ts';

const NOON = Date.UTC(2026, 10, 20, 12);

let logged: string[] = [];

beforeEach(async () => {
  await deleteClicks();
  await makeLinks([1]);
  logged = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void logged.push(line));
});

/**
 * Delivers bodies as one batch. Returns the acknowledged messages, and for each retried one its
 * delay in seconds.
 */
async function deliver(
  bodies: unknown[],
  options: { db?: D1Database; queue?: string; attempts?: number | number[] } = {},
) {
  const { db = env.DB, queue = 'clicks', attempts = 1 } = options;
  const messages = bodies.map((body, i) => ({
    id: String(i),
    timestamp: new Date(NOON),
    attempts: [attempts].flat()[i] ?? [attempts].flat()[0] ?? 1,
    body,
  }));
  const batch = createMessageBatch(queue, messages);
  // The test harness reports which messages are retried, but not their delay.
  const retries = batch.messages.map((message) => vi.spyOn(message, 'retry'));
  await consumeBatch(batch, { DB: db }, NOON);
  const result = await getQueueResult(batch, createExecutionContext());
  return {
    acked: [...result.explicitAcks].sort(),
    retried: Object.fromEntries(
      result.retryMessages.map(({ msgId }) => [
        msgId,
        retries[Number(msgId)]?.mock.calls[0]?.[0]?.delaySeconds,
      ]),
    ),
  };
}

/** A database whose batches fail where `fails` returns true. */
function faulty(fails: (statements: number, call: number) => boolean): {
  db: D1Database;
  calls: () => number;
} {
  let calls = 0;
  const db = beforeBatch(env.DB, (nth, statements) => {
    calls = nth;
    if (fails(statements, nth)) throw new Error('D1_ERROR: overloaded');
  });
  return { db, calls: () => calls };
}

const human = () =>
  env.DB.prepare('SELECT human FROM link_totals WHERE link_id = 1').first('human');
const windows = (n: number): ClickWindow[] =>
  Array.from({ length: n }, (_, i) => makeWindow([makeClick(1)], `w${i}`));

describe('unreadable messages', () => {
  const good = makeWindow([makeClick(1)], 'good');
  it.each<[string, unknown]>([
    ['null', null],
    ['text', 'hello'],
    ['a window of another version', { ...good, v: 2 }],
    ['a window without an id', { ...good, id: '' }],
    ['a window without clicks', { ...good, e: [] }],
    ['a negative link id', { ...good, e: [makeClick(-1)] }],
    ['a link id that is a string', { ...good, e: [{ ...makeClick(1), l: '1' }] }],
    ['a time in seconds', { ...good, e: [makeClick(1, { t: 1_700_000_000 })] }],
    ['a fraction of a millisecond', { ...good, e: [makeClick(1, { t: NOON + 0.5 })] }],
    ['a missing user agent', { ...good, e: [{ ...makeClick(1), ua: undefined }] }],
    ['a destination with a separator', { ...good, e: [makeClick(1, { d: 'a|b' })] }],
    ['a visitor id that is too long', { ...good, e: [makeClick(1, { k: 'k'.repeat(65) })] }],
    ['one invalid click among valid ones', { ...good, e: [makeClick(1), makeClick(0)] }],
  ])('stores %s as a fault, acknowledges it and counts the rest', async (_, body) => {
    expect(await deliver([makeWindow([makeClick(1)]), body, makeWindow([makeClick(1)])])).toEqual({
      acked: ['0', '1', '2'],
      retried: {},
    });
    expect(await human()).toBe(2);
    const faults = await rowsOf('click_faults');
    expect(faults).toMatchObject([{ at: NOON, reason: 'unreadable' }]);
    if (typeof body !== 'object') expect(faults[0]?.['body']).toBe(JSON.stringify(body));
  });

  it.each<[string, (size: number) => unknown, number]>([
    ['clicks', (n) => ({ ...good, e: Array(n).fill(makeClick(1)) }), 5_000],
    ['characters of an id', (n) => ({ ...good, id: 'w'.repeat(n) }), 64],
    [
      'characters of a visitor id',
      (n) => ({ ...good, e: [makeClick(1, { k: 'k'.repeat(n) })] }),
      64,
    ],
    [
      'characters of UTM values',
      (n) => ({ ...good, e: [makeClick(1, { u: 'u'.repeat(n) })] }),
      300,
    ],
    ['milliseconds since 1970', (t) => ({ ...good, e: [makeClick(1, { t })] }), 4_102_444_800_000],
  ])('reads a window with the most %s, and no more', (_, make, most) => {
    const isRead = (n: number) => clickWindowSchema.safeParse(make(n)).success;
    expect([isRead(most), isRead(most + 1)]).toEqual([true, false]);
  });

  it('cuts a huge message and keeps only the newest faults', async () => {
    await deliver([{ junk: 'x'.repeat(100_000) }]);
    expect(await env.DB.prepare('SELECT length(body) AS n FROM click_faults').first('n')).toBe(
      2_000,
    );
    await storeFaults(
      openDb(env.DB),
      Array.from({ length: FAULTS_MAX + 50 }, (_, i) => i),
      'many',
      NOON,
    );
    const faults = await rowsOf('click_faults');
    expect(faults.length).toBe(FAULTS_MAX);
    expect(faults.at(-1)).toMatchObject({ body: String(FAULTS_MAX + 49) });
  });

  it('[T31] the stored fault of a bad message has no visitor id and no user agent', async () => {
    await deliver([makeWindow([makeClick(-7, { k: 'a visitor', ua: 'an agent' })])]);
    const body = await env.DB.prepare('SELECT body FROM click_faults').first<string>('body');
    expect(body).toContain('"l":-7');
    expect(body).toContain('"ua":"8 characters"');
    expect(body).not.toMatch(/a visitor|an agent/);
  });

  it('unreadable messages are retried while D1 is down', async () => {
    const { db } = faulty(() => true);
    const { acked, retried } = await deliver(['bad', good], { db });
    expect(acked).toEqual([]);
    expect(Object.keys(retried)).toEqual(['0', '1']);
  });
});

describe('windows of other days', () => {
  const DAY = NOON / DAY_MS - 0.5;
  const at = (t: number, id: string) => makeWindow([makeClick(1, { t })], id);

  it('windows of other days count once, around midnight and 15 days later', async () => {
    const midnight = DAY * DAY_MS;
    const over = makeWindow(
      [makeClick(1, { t: midnight - 1 }), makeClick(1, { t: midnight })],
      'over midnight',
    );
    const old = at(midnight - 15 * DAY_MS, 'old');
    for (let i = 0; i < 2; i++) expect((await deliver([over, old])).acked).toEqual(['0', '1']);
    await deleteExpiredData(env, NOON);
    await deliver([over, old]);
    expect(await human()).toBe(3);
  });

  it('windows whose ids are gone, or from the future, are stored as faults and lost', async () => {
    const outdated = [at((DAY - 15) * DAY_MS - 1, 'late'), at(NOON + DAY_MS + 1, 'early')];
    expect((await deliver(outdated)).acked).toEqual(['0', '1']);
    expect(await human()).toBeNull();
    expect(await rowsOf('click_faults')).toMatchObject([
      { reason: 'out of date' },
      { reason: 'out of date' },
    ]);
    expect(logged.filter((line) => line.includes('"click_lost"'))).toEqual([
      expect.stringContaining('"clicks":2'),
    ]);
  });

  it('a window is out of date with one click from more than a day ahead', async () => {
    const ahead = (ms: number, id: string) =>
      makeWindow([makeClick(1), makeClick(1, { t: NOON + ms })], id);
    await deliver([ahead(DAY_MS, 'a day'), ahead(DAY_MS + 1, 'more')]);
    expect(await human()).toBe(2);
    expect(await rowsOf('click_faults')).toMatchObject([
      { reason: 'out of date', body: expect.stringContaining('"more"') },
    ]);
  });

  it('windows out of date are not lost before they are stored as faults', async () => {
    const outdated = [at((DAY - 16) * DAY_MS, 'late')];
    const { db } = faulty(() => true);
    expect((await deliver(outdated, { db })).acked).toEqual([]);
    expect(logged.filter((line) => line.includes('"click_lost"'))).toEqual([]);
  });
});

describe('when D1 fails', () => {
  it('the consumer retries every message with a growing delay, then counts it once', async () => {
    takeWindow();
    const down = faulty(() => true);
    const first = await deliver(windows(3), { db: down.db, attempts: 1 });
    const second = await deliver(windows(3), { db: down.db, attempts: 2 });
    expect(first).toEqual({ acked: [], retried: { 0: 10, 1: 10, 2: 10 } });
    expect(second).toEqual({ acked: [], retried: { 0: 20, 1: 20, 2: 20 } });
    expect(await deliver(windows(3), { attempts: 3 })).toEqual({
      acked: ['0', '1', '2'],
      retried: {},
    });
    expect(await human()).toBe(3);
    // The third delivery folds each window alone.
    expect(takeWindow().filter(({ name }) => name.startsWith('hop.fold'))).toMatchObject([
      { name: 'hop.fold.duration', values: ['error'], count: 2 },
      { name: 'hop.fold.duration', values: [''], count: 3 },
      { name: 'hop.fold.clicks', sum: 3 },
    ]);
  });

  it('the dead-letter queue is retried every hour until D1 counts', async () => {
    const { db } = faulty(() => true);
    expect((await deliver(windows(1), { db, queue: 'clicks-dead', attempts: 40 })).retried).toEqual(
      { 0: 3_600 },
    );
    expect((await deliver(windows(1), { db, queue: 'clicks', attempts: 9 })).retried).toEqual({
      0: 300,
    });
    expect(await deliver(windows(1), { queue: 'clicks-dead', attempts: 41 })).toEqual({
      acked: ['0'],
      retried: {},
    });
    expect(await human()).toBe(1);
  });

  it('clicks are logged as lost when the last delivery fails', async () => {
    const { db } = faulty(() => true);
    const lost = () => logged.filter((line) => line.includes('"click_lost"'));
    await deliver(windows(1), { db, queue: 'clicks-dead', attempts: 100 });
    await deliver(windows(1), { db, queue: 'clicks', attempts: 101 });
    expect(lost()).toEqual([]);
    takeWindow();
    await deliver([makeWindow([makeClick(1), makeClick(1)])], {
      db,
      queue: 'clicks-dead',
      attempts: 101,
    });
    expect(lost()).toEqual([expect.stringContaining('"clicks":2')]);
    expect(takeWindow()).toContainEqual(
      expect.objectContaining({ name: 'hop.clicks.lost', sum: 2 }),
    );
  });

  it('the other windows count when D1 rejects one', async () => {
    await foldWindows(env.DB, [makeWindow([makeClick(2)])], NOON);
    await env.DB.prepare(
      `CREATE TRIGGER refuse BEFORE INSERT ON link_totals WHEN NEW.window_ids LIKE '%w3"%' BEGIN SELECT raise(ABORT, 'refused'); END`,
    ).run();
    expect((await deliver(windows(6), { attempts: 1 })).acked).toEqual([]);
    expect(await deliver(windows(6), { attempts: 3 })).toEqual({
      acked: ['0', '1', '2', '4', '5'],
      retried: { 3: 40 },
    });
    await env.DB.prepare('DROP TRIGGER refuse').run();
    expect(await human()).toBe(5);
    await deliver(windows(6), { queue: 'clicks-dead', attempts: 1 });
    expect(await human()).toBe(6);
  });

  it('the consumer stops asking D1 after three failures in a row', async () => {
    const { db, calls } = faulty(() => true);
    const { retried } = await deliver(windows(100), { db, attempts: 4 });
    expect(Object.keys(retried).length).toBe(100);
    expect(calls()).toBe(3);
  });

  it('a failed fold of several windows counts as one of the three failures', async () => {
    const { db, calls } = faulty(() => true);
    await deliver(windows(7), { db, attempts: [1, 1, 4, 4, 4, 4, 4] });
    expect(calls()).toBe(3);
  });

  it('the consumer keeps asking D1 when failures alternate with successes', async () => {
    await foldWindows(env.DB, [makeWindow([makeClick(1)], 'makes the tables of the day')], NOON);
    // The first two of three folds fail to read. The first one tries twice, because the tables that
    // it knows might be gone. The third one reads and writes.
    const { db, calls } = faulty((_, call) => [1, 2, 3].includes(call % 5));
    const { acked } = await deliver(windows(9), { db, attempts: 4 });
    expect(calls()).toBe(15);
    expect(acked).toEqual(['2', '5', '8']);
  });
});

describe('clicks that a webhook wants', () => {
  const refuse = (table: string) =>
    env.DB.prepare(
      `CREATE TRIGGER refuse BEFORE INSERT ON ${table} BEGIN SELECT raise(ABORT, 'refused'); END`,
    ).run();
  const accept = () => env.DB.prepare('DROP TRIGGER refuse').run();

  it('clicks become an event once they are counted, and once, whichever step fails', async () => {
    await env.DB.prepare(`UPDATE links SET user_id = 'owner' WHERE id = 1`).run();
    await env.DB.prepare(
      `INSERT INTO webhook_endpoints (id, user_id, url, description, events, salt, created_at)
       VALUES ('e', 'owner', 'https://a.example/', '', 'link.clicked', '', 0)`,
    ).run();
    const clicks = async () =>
      (await rowsOf('webhook_deliveries')).map(({ data }) => JSON.parse(String(data)).clicks);
    const window = makeWindow([makeClick(1), makeClick(1)], 'wanted');
    await refuse('link_totals');
    expect((await deliver([window])).acked).toEqual([]);
    await accept();
    expect([await human(), await clicks()]).toEqual([null, []]);
    await refuse('webhook_click_windows');
    expect((await deliver([window])).retried).toEqual({ 0: 10 });
    await accept();
    expect([await human(), await clicks()]).toEqual([2, []]);
    for (let i = 0; i < 2; i++) expect((await deliver([window])).acked).toEqual(['0']);
    expect([await human(), await clicks()]).toEqual([2, [2]]);
    await refuse('link_totals');
    const aside = [makeWindow([makeClick(1)], 'aside')];
    expect((await deliver(aside, { queue: 'clicks-dead', attempts: 5 })).acked).toEqual(['0']);
    await accept();
    expect(await clicks()).toEqual([2]);
    await env.DB.prepare('DELETE FROM set_aside_windows').run();
    await env.DB.prepare('DELETE FROM webhook_endpoints').run();
  });
});

describe('the state of the queue', () => {
  it('stores how many messages of a batch are delivered again', async () => {
    const now = NOON + HOUR_MS;
    await env.DB.prepare(
      `CREATE TRIGGER refuse BEFORE INSERT ON link_totals BEGIN SELECT raise(ABORT, 'refused'); END`,
    ).run();
    await env.DB.prepare(
      `CREATE TRIGGER refuse_fault BEFORE INSERT ON click_faults WHEN NEW.reason = 'out of date'
       BEGIN SELECT raise(ABORT, 'refused'); END`,
    ).run();
    const outdated = makeWindow([makeClick(1, { t: NOON - 16 * DAY_MS })]);
    const bodies = [...windows(3), 'unreadable', outdated];
    const batch = createMessageBatch(
      'clicks',
      bodies.map((body, i) => ({
        id: String(i),
        timestamp: new Date(now - 2_000),
        attempts: i === 2 ? 3 : 1,
        body,
      })),
    );
    await consumeBatch(batch, { DB: env.DB }, now);
    await env.DB.prepare('DROP TRIGGER refuse').run();
    await env.DB.prepare('DROP TRIGGER refuse_fault').run();
    const value = await env.DB.prepare(
      `SELECT value FROM system_facts WHERE name = 'queue:clicks' AND at = ?1`,
    )
      .bind(now)
      .first<string>('value');
    expect(JSON.parse(value ?? '{}')).toEqual({ lagMs: 2_000, failed: 4 });
  });
});

describe('messages of other releases', () => {
  it('a click counts without a destination and with a member that is not known', async () => {
    const led = { ...makeClick(1, { d: 'abc' }), later: 'x' };
    const before = makeWindow([makeClick(1)], 'of a release that knows no variants');
    expect((await deliver([before, makeWindow([led])])).acked).toEqual(['0', '1']);
    expect(await human()).toBe(2);
    const [day] = await storedDays();
    expect([...(day?.counts.destination ?? [])]).toEqual([['abc', 1]]);
    expect(await rowsOf('click_faults')).toEqual([]);
  });
});

describe('the queue binding', () => {
  it('a window sent to the queue is delivered and counted', async () => {
    await env.CONSUMED_CLICKS.send(makeWindow([makeClick(1, { t: Date.now() })], 'real'));
    await vi.waitFor(async () => expect(await human()).toBe(1), { timeout: 60_000, interval: 100 });
  });
});
