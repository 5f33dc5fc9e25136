import { createMessageBatch, env } from 'cloudflare:test';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { SIGNALS, type ReadyResponse, type SystemReport } from '#contract/system/system.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { consumeBatch } from '#worker/clicks/queue/consume-batch.ts';
import { openDb } from '#worker/db/client.ts';
import { NEEDED_SCHEMA } from '#worker/db/schema-version.ts';
import { addLostClicks, BACKUP, saveFact } from '#worker/db/system-facts.ts';
import { recordIntervals } from '#worker/job-runtime/job-intervals.ts';
import { runDueJobs, type Job } from '#worker/jobs/schedule.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeLinks, makeWindow } from '#worker/testing/clicks.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { aroundKv, throwsBefore } from '#worker/testing/faults.ts';
import { makePerson } from '#worker/testing/make.ts';
import { checkAlerts } from './check-alerts.ts';

const START = Date.UTC(2027, 0, 10, 12);
const WEBHOOK = 'https://hooks.example/secret-path';
const db = openDb(env.DB);
const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

/** A job that is always behind, or has caught up. */
const jobWith = (left: number): Job => ({
  name: 'sweep',
  everyMs: MINUTE_MS,
  run: () => Promise.resolve({ left }),
});
const verified = (ok: boolean) =>
  run(
    `INSERT OR REPLACE INTO job_runs (name, started_at, finished_at, ok, detail) VALUES ('click-proof:result', ?1, ?1, ?2, '{}')`,
    now,
    ok ? 1 : 0,
  );
/** Delivers a window from the dead-letter queue for the fifth time, while D1 rejects it. */
async function rejectWindow(id = ''): Promise<void> {
  const body = makeWindow(
    [makeClick(1, { t: now, k: 'a visitor' }), makeClick(1, { t: now })],
    `${id}dead`,
  );
  await run(
    `CREATE TRIGGER refuse BEFORE INSERT ON link_totals BEGIN SELECT raise(ABORT, 'refused'); END`,
  );
  const message = { id: 'm', timestamp: new Date(now), attempts: 5, body };
  await consumeBatch(createMessageBatch('clicks-dead', [message]), env, now);
  await run('DROP TRIGGER refuse');
}
/** Time jumps by days in these tests, so every request has a new token. */
async function asAdmin(path: string, see: Partial<Env> = {}, json?: unknown): Promise<Response> {
  vi.setSystemTime(now);
  const { headers } = await makePerson({ role: 'admin' });
  return call(path, { headers, ...(json !== undefined && { json }) }, see);
}
const replay = () => asAdmin('/api/admin/system', {}, { action: 'replay' });

/** D1 that fails, but for the statements by which the API knows who is asking. */
const brokenD1 = (): D1Database =>
  withMethods(env.DB, {
    prepare: (query: string) =>
      /d1_migrations|job_runs|system_facts/.test(query)
        ? env.DB.prepare('select broken')
        : env.DB.prepare(query),
  });

type Fault = {
  name: string;
  signal: (typeof SIGNALS)[number];
  /** What the Worker sees while the fault lasts. */
  see?: () => Partial<Env>;
  begin?: () => unknown;
  end?: () => unknown;
};

const FAULTS: Fault[] = [
  { name: 'D1 does not answer', signal: 'database', see: () => ({ DB: brokenD1() }) },
  {
    name: 'KV does not answer',
    signal: 'edge-store',
    see: () => ({ LINKS: aroundKv(env.LINKS, throwsBefore('KV is down')) }),
  },
  {
    name: 'cron has stopped',
    signal: 'cron',
    begin: () => (isCronDown = true),
    end: () => (isCronDown = false),
  },
  {
    name: 'a job is behind for hours',
    signal: 'backlog',
    begin: async () => {
      await runDueJobs(env, now, [jobWith(7)]);
      now += 3 * HOUR_MS;
      await runDueJobs(env, now, [jobWith(7)]);
    },
    end: () => runDueJobs(env, now, [jobWith(0)]),
  },
  {
    name: 'a job is killed in every run',
    signal: 'jobs',
    begin: async () => {
      for (let nth = 0; nth < 3; nth++) {
        await startAndDie();
        now += 15 * MINUTE_MS;
        await minute({});
      }
    },
    end: () => runDueJobs(env, now, [jobWith(0)]),
  },
  {
    name: 'a job never runs',
    signal: 'jobs',
    begin: async () => {
      await recordIntervals(db, { sweep: MINUTE_MS, starved: MINUTE_MS }, now);
      now += 15 * MINUTE_MS;
      await runDueJobs(env, now, [jobWith(0)]);
      await recordIntervals(db, { sweep: MINUTE_MS, starved: MINUTE_MS }, now - 15 * MINUTE_MS);
    },
    end: () => runDueJobs(env, now, [jobWith(0)]),
  },
  {
    name: 'no backup was ever made',
    signal: 'backup',
    begin: async () => {
      hasBackup = false;
      await run(`DELETE FROM system_facts WHERE name = 'backup'`);
      await run(
        `UPDATE d1_migrations SET applied_at = datetime(?1 / 1000, 'unixepoch')`,
        now - 37 * HOUR_MS,
      );
    },
    end: () => (hasBackup = true),
  },
  {
    name: 'a window is in the dead-letter queue',
    signal: 'dead-letters',
    begin: () => rejectWindow(),
    end: replay,
  },
  {
    name: 'clicks are lost',
    signal: 'lost-clicks',
    begin: () => addLostClicks(db, 3, now),
    end: () => (now += 2 * DAY_MS),
  },
  {
    name: 'totals have drifted',
    signal: 'totals',
    begin: () => verified(false),
    end: () => verified(true),
  },
  {
    name: 'the schema is old',
    signal: 'schema',
    begin: () =>
      run(
        'UPDATE d1_migrations SET name = ?1 WHERE name = ?2',
        '0001_x.sql',
        `${NEEDED_SCHEMA}.sql`,
      ),
    end: () =>
      run(
        'UPDATE d1_migrations SET name = ?2 WHERE name = ?1',
        '0001_x.sql',
        `${NEEDED_SCHEMA}.sql`,
      ),
  },
];

let now = START;
let isCronDown = false;
let hasBackup = true;
/** The invocation is killed while the job runs. */
const startAndDie = () =>
  new Promise<void>((started) => {
    const hang = () => (started(), new Promise<never>(() => undefined));
    void runDueJobs(env, now, [{ ...jobWith(0), run: hang }]);
  });
let sent: { url: string; text: string; event: string; signal: string }[] = [];

const fetcher = (url: string, init?: RequestInit): Promise<Response> => {
  sent.push({ url, ...JSON.parse(typeof init?.body === 'string' ? init.body : '') });
  return Promise.resolve(new Response('ok'));
};

/** A minute passes: cron runs, unless it is down, and somebody looks. */
async function minute(see: Partial<Env>): Promise<void> {
  now += isCronDown ? 12 * MINUTE_MS : MINUTE_MS;
  if (!isCronDown)
    await run(
      `INSERT OR REPLACE INTO job_runs (name, started_at, finished_at) VALUES ('outbox', ?1, ?1)`,
      now,
    );
  if (!isCronDown) await verifiedIfOld();
  if (hasBackup) await saveFact(db, { name: BACKUP, at: now, value: '' });
  await checkAlerts({ ...env, ALERT_WEBHOOK_URL: WEBHOOK, ...see }, now, !isCronDown, fetcher);
}
const verifiedIfOld = () =>
  run(`UPDATE job_runs SET started_at = ?1 WHERE name = 'click-proof:result' AND ok`, now);

async function redSignals(see: Partial<Env>): Promise<string[]> {
  const response = await asAdmin('/api/admin/system', see);
  expect(response.status).toBe(200);
  const { signals } = await response.json<SystemReport>();
  return signals.filter(({ state }) => state === 'bad').map(({ signal }) => signal);
}

afterAll(() => vi.useRealTimers());
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(START);
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  await makeLinks([1]);
  await verified(true);
});
afterEach(async () => {
  isCronDown = false;
  await run(`DELETE FROM system_facts WHERE name = 'schedule'`);
});

describe('each fault', () => {
  it.each(FAULTS)(
    '$name: turns one signal red and sends one alert and one recovery',
    async ({ signal, see, begin, end }) => {
      sent = [];
      await minute({});
      expect(await redSignals({})).toEqual([]);
      expect(sent).toEqual([]);

      await begin?.();
      const seen = see?.() ?? {};
      for (let look = 0; look < 3; look++) await minute(seen);
      expect(await redSignals(seen)).toEqual([signal]);
      expect(sent.map((message) => [message.event, message.signal])).toEqual([['alert', signal]]);
      expect(sent[0]?.url).toBe(WEBHOOK);

      await end?.();
      isCronDown = false;
      for (let look = 0; look < 3; look++) await minute({});
      expect(await redSignals({})).toEqual([]);
      expect(sent.map((message) => [message.event, message.signal])).toEqual([
        ['alert', signal],
        ['recovery', signal],
      ]);
    },
  );
});

describe('GET /api/admin/system', () => {
  it('the page has faults, jobs and release, and a count is in the audit log', async () => {
    await minute({});
    await run(`UPDATE link_totals SET human = 0`);
    await rejectWindow('other');
    const report = await (await asAdmin('/api/admin/system')).json<SystemReport>();
    const since = new Date(now).toISOString();
    expect(report.setAside).toEqual({
      windows: 1,
      clicks: 2,
      reasons: [{ reason: expect.stringContaining('refused'), windows: 1, clicks: 2, since }],
    });
    expect(report.jobs).toContainEqual(
      expect.objectContaining({ name: 'outbox', startedAt: since, ok: true, backlog: null }),
    );
    expect(report.release).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      schema: NEEDED_SCHEMA,
    });
    expect(report.database).toMatchObject({
      bytes: expect.any(Number),
      limitBytes: 10_000_000_000,
    });
    expect(await (await replay()).json()).toEqual({ windows: 1, clicks: 2, failed: 0, left: 0 });
    expect(await env.DB.prepare('SELECT human FROM link_totals').first('human')).toBe(2);
    expect(
      await env.DB.prepare('SELECT action FROM admin_log ORDER BY id DESC').first('action'),
    ).toBe('replay_clicks');
  });
});

describe('the beginnings that GET /api/admin/system shows', () => {
  it('a bad signal without a beginning has that of its alert', async () => {
    await minute({});
    const LINKS = aroundKv(env.LINKS, throwsBefore('KV is down'));
    await minute({ LINKS });
    const alertAt = new Date(now).toISOString();
    await minute({ LINKS });
    const { signals } = await (await asAdmin('/api/admin/system', { LINKS })).json<SystemReport>();
    expect(signals.find(({ signal }) => signal === 'edge-store')).toMatchObject({
      state: 'bad',
      since: alertAt,
    });
    const { signals: after } = await (await asAdmin('/api/admin/system')).json<SystemReport>();
    const working = after.find(({ signal }) => signal === 'edge-store');
    expect(working).toMatchObject({ state: 'ok', since: null });
    await minute({});
  });

  it('a bad signal has its own beginning if that is known, not that of its alert', async () => {
    await minute({});
    isCronDown = true;
    for (let look = 0; look < 2; look++) await minute({});
    const since = new Date(now).toISOString();
    await run(`UPDATE job_runs SET started_at = ?1, finished_at = ?1 WHERE name = 'outbox'`, now);
    now += 12 * MINUTE_MS;
    const { signals } = await (await asAdmin('/api/admin/system')).json<SystemReport>();
    expect(signals.find(({ signal }) => signal === 'cron')).toMatchObject({ state: 'bad', since });
    isCronDown = false;
    await minute({});
  });

  it('of the reasons of set-aside windows the ten most frequent, each with its first', async () => {
    await run('DELETE FROM set_aside_windows');
    const rows = Array.from({ length: 12 }, (_, reason) => [
      [reason, 0],
      ...(reason > 8 ? [[reason, 1]] : []),
    ]).flat();
    for (const [reason = 0, nth = 0] of rows)
      await run(
        'INSERT INTO set_aside_windows VALUES (?, ?, 0, 2, ?, ?)',
        `${reason}-${nth}`,
        now - nth * 1000,
        `reason ${reason}`,
        '{}',
      );
    const { setAside } = await (await asAdmin('/api/admin/system')).json<SystemReport>();
    await run('DELETE FROM set_aside_windows');
    expect(setAside.reasons).toHaveLength(10);
    const frequent = setAside.reasons
      .slice(0, 3)
      .toSorted((a, b) => (a.reason < b.reason ? -1 : 1));
    const since = new Date(now - 1000).toISOString();
    expect(frequent).toEqual([
      { reason: 'reason 10', windows: 2, clicks: 4, since },
      { reason: 'reason 11', windows: 2, clicks: 4, since },
      { reason: 'reason 9', windows: 2, clicks: 4, since },
    ]);
  });
});

describe('GET /api/ready', () => {
  const ready = async (headers: Record<string, string>, see: Partial<Env> = {}) => {
    const response = await call('/api/ready', { headers }, see);
    return { status: response.status, body: await response.json<ReadyResponse>() };
  };

  it('answers 200, and 503 when a storage fails, with details for administrators only', async () => {
    await minute({});
    vi.setSystemTime(now);
    const member = await makePerson();
    const admin = await makePerson({ role: 'admin' });
    expect(await ready({})).toEqual({ status: 200, body: { ok: true, alerts: true } });
    expect(await ready(member.headers)).toEqual({
      status: 200,
      body: { ok: true, alerts: true },
    });
    const LINKS = aroundKv(env.LINKS, throwsBefore('KV is down'));
    expect(await ready({}, { LINKS })).toEqual({
      status: 503,
      body: { ok: false, alerts: true },
    });
    const { status, body } = await ready(admin.headers, { LINKS });
    expect([status, body.ok, body.signals?.map(({ signal }) => signal)]).toEqual([
      503,
      false,
      SIGNALS.filter((signal) => signal !== 'domains'),
    ]);
  });

  it('readiness is rate limited by network', async () => {
    const LIMIT_READS = { limit: () => Promise.resolve({ success: false }) };
    const headers = { 'CF-Connecting-IP': '203.0.113.9' };
    expect((await ready(headers, { LIMIT_READS })).status).toBe(429);
  });
});
