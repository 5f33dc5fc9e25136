import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  env,
  waitOnExecutionContext,
} from 'cloudflare:test';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import { recordQueue } from '#worker/clicks/queue/record-queue.ts';
import { openDb } from '#worker/db/client.ts';
import { addLostClicks } from '#worker/db/system-facts.ts';
import worker from '#worker/index.ts';
import { call } from '#worker/testing/call.ts';
import { rowsOf } from '#worker/testing/clicks.ts';
import { aroundD1, aroundKv, throwsBefore } from '#worker/testing/faults.ts';
import { logLines } from '#worker/testing/log-lines.ts';
import { makePerson } from '#worker/testing/make.ts';
import { mailsTo } from '#worker/testing/sign-in.ts';
import { checkAlerts, checkAlertsSometimes } from './check-alerts.ts';

const START = Date.UTC(2027, 0, 10, 12);
const db = openDb(env.DB);
const loseClicks = () => addLostClicks(db, 2, START);

let now = START;
let calls: string[] = [];
let isDown = false;
let redirects: unknown[] = [];
/** The webhook. `isDown`: it answers 500. */
const fetcher = (_: string, init?: RequestInit): Promise<Response> => {
  redirects.push(init?.redirect);
  calls.push(typeof init?.body === 'string' ? init.body : '');
  return Promise.resolve(new Response('', { status: isDown ? 500 : 200 }));
};
const configured: Partial<Env> = { ALERT_WEBHOOK_URL: 'https://hooks.example/x' };
async function check(over: Partial<Env> = configured): Promise<void> {
  now += MINUTE_MS;
  await checkAlerts({ ...env, APP_ORIGIN: 'http://localhost:8787', ...over }, now, true, fetcher);
}

// Without a backup, the signal Backup turns red 36 hours after the installation.
beforeAll(() =>
  env.DB.prepare(`UPDATE d1_migrations SET applied_at = datetime(?1 / 1000, 'unixepoch')`)
    .bind(START)
    .run(),
);
beforeEach(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  await env.DB.batch(
    ['system_facts', 'job_runs', 'dev_mails'].map((name) => env.DB.prepare(`DELETE FROM ${name}`)),
  );
  await env.LINKS.delete('system:alerts');
  now = START;
  calls = [];
  redirects = [];
  isDown = false;
});

describe('an alert', () => {
  it('[T31] an alert names the signal and nobody, for people and for programs', async () => {
    await loseClicks();
    await check();
    expect(JSON.parse(calls[0] ?? '')).toEqual({
      text: '[Hop localhost:8787] Lost clicks: 2 clicks of the last 24 hours were not counted, the last one 60 seconds ago.',
      event: 'alert',
      signal: 'lost-clicks',
      sentence: '2 clicks of the last 24 hours were not counted, the last one 60 seconds ago.',
      since: new Date(START).toISOString(),
      at: new Date(START + MINUTE_MS).toISOString(),
    });
  });

  it('follows no redirect of the webhook to another address', async () => {
    await loseClicks();
    await check();
    expect(redirects).toEqual(['manual']);
  });

  it('an alert goes to the administrators by mail, and to nobody else', async () => {
    const admin = await makePerson({ role: 'admin' });
    const member = await makePerson();
    const suspended = await makePerson({ role: 'admin' });
    await env.DB.prepare('UPDATE users SET suspended_at = 1 WHERE id = ?').bind(suspended.id).run();
    const unreachable = await makePerson({ role: 'admin' });
    await env.DB.prepare("UPDATE users SET email = '' WHERE id = ?").bind(unreachable.id).run();
    await loseClicks();
    for (let i = 0; i < 3; i++) await check({ DEV_MAILBOX: 'on' });
    expect((await mailsTo(admin.email)).map(({ subject }) => subject)).toEqual([
      'Hop needs your attention: Lost clicks',
    ]);
    await env.DB.prepare(`DELETE FROM system_facts WHERE name LIKE 'lost:%'`).run();
    for (let i = 0; i < 3; i++) await check({ DEV_MAILBOX: 'on' });
    expect((await mailsTo(admin.email))[0]).toMatchObject({
      subject: 'Hop has recovered: Lost clicks is fine again after 4 minutes',
      link: 'http://localhost:8787/admin?tab=system',
    });
    expect(await mailsTo(member.email)).toEqual([]);
    expect(await mailsTo(suspended.email)).toEqual([]);
    const toNobody = env.DB.prepare(`SELECT 1 FROM dev_mails WHERE "to" = ''`);
    expect(await toNobody.first()).toBeNull();
  });

  it('mails the addresses of the settings while the database cannot be read', async () => {
    const sentTo: string[] = [];
    const send = ({ to }: { to?: unknown }) => {
      sentTo.push(String(to));
      return Promise.resolve({ messageId: '' });
    };
    const listed = Array.from({ length: 21 }, (_, index) => `admin-${index}@example.org`);
    await check({
      EMAIL: { send },
      MAIL_FROM: 'alerts@example.org',
      DEV_MAILBOX: '',
      ADMIN_EMAILS: `, ${listed.join(', ')},`,
      DB: aroundD1(env.DB, throwsBefore('D1 is down')),
    });
    expect(sentTo).toEqual(listed.slice(0, 20));
  });

  it('an alert is not sent again if the mail was sent and the webhook failed', async () => {
    await makePerson({ role: 'admin' });
    isDown = true;
    await loseClicks();
    for (let i = 0; i < 4; i++) await check({ ...configured, DEV_MAILBOX: 'on' });
    expect(calls).toHaveLength(1);
  });

  it('an alert does not end while its signal is unknown', async () => {
    const runs = (at: number, failingSince: number | null) =>
      env.DB.prepare(
        `INSERT OR REPLACE INTO job_runs (name, started_at, ok, failing_since) VALUES ('outbox', ?, 1, ?)`,
      ).bind(at, failingSince);
    await runs(START, START - 60 * MINUTE_MS).run();
    await check();
    now += 20 * MINUTE_MS;
    await checkAlerts({ ...env, ...configured }, now, false, fetcher);
    await runs(now, null).run();
    await check();
    expect(
      calls.map((body) => JSON.parse(body)).map(({ event, signal }) => `${event} ${signal}`),
    ).toEqual(['alert jobs', 'alert cron', 'recovery cron', 'recovery jobs']);
  });

  it('logs no address of a webhook that cannot be reached', async () => {
    const logged = logLines();
    await loseClicks();
    await checkAlerts({ ...env, ...configured }, now, true, () =>
      Promise.reject(new TypeError(`cannot reach ${configured.ALERT_WEBHOOK_URL}`)),
    );
    expect(logged()).toContainEqual({
      event: 'alert_webhook_failed',
      error: 'TypeError',
    });
  });

  it('of a time without D1 ends once, though KV still serves it', async () => {
    const stale = JSON.stringify({ writtenAt: START, since: { database: START - 60_000 } });
    for (let i = 0; i < 3; i++) {
      await env.LINKS.put('system:alerts', stale);
      await check();
    }
    expect(calls.map((body) => JSON.parse(body))).toMatchObject([
      { event: 'recovery', signal: 'database', since: new Date(START - 60_000).toISOString() },
    ]);
  });

  it('while D1 fails, what reached nobody is sent again a minute later, and once', async () => {
    const since = { 'edge-store': START - 60_000 };
    await env.LINKS.put('system:alerts', JSON.stringify({ writtenAt: START, since }));
    const withoutD1 = { ...configured, DB: aroundD1(env.DB, throwsBefore('D1 is down')) };
    for (isDown of [true, false, false]) await check(withoutD1);
    const sent = calls.map((body) => JSON.parse(body));
    expect(sent.map(({ event, signal }) => `${event} ${signal}`)).toEqual([
      'alert database',
      'recovery edge-store',
      'alert database',
      'recovery edge-store',
    ]);
    expect(sent[3]).toMatchObject({ since: new Date(START - 60_000).toISOString() });
  });

  it('an alert is sent again after a failed webhook, and ends silently if never sent', async () => {
    const logged = logLines();
    isDown = true;
    await loseClicks();
    await check();
    await check();
    expect(calls).toHaveLength(1);
    now += 2 * MINUTE_MS;
    await check();
    expect(calls).toHaveLength(2);
    await env.DB.prepare(`DELETE FROM system_facts WHERE name LIKE 'lost:%'`).run();
    isDown = false;
    now += 2 * MINUTE_MS;
    await check();
    expect(calls).toHaveLength(2);
    expect((await rowsOf('system_facts')).map(({ name }) => name)).toEqual(['fails:webhook']);
    expect(logged()).toContainEqual(
      expect.objectContaining({ event: 'alert_over', signal: 'lost-clicks' }),
    );
  });

  it('the end of an alert is sent again if the check that sent it died', async () => {
    await loseClicks();
    await check();
    await env.DB.prepare(`DELETE FROM system_facts WHERE name LIKE 'lost:%'`).run();
    await env.DB.prepare(`UPDATE system_facts SET value = ?1 WHERE name LIKE 'alert:%'`)
      .bind(`end:${now}`)
      .run();
    await check();
    expect(calls).toHaveLength(1);
    now += 2 * MINUTE_MS;
    await check();
    expect(calls.slice(1).map((body) => JSON.parse(body).event)).toEqual(['recovery']);
  });

  it('checks at the same time send an alert once', async () => {
    await loseClicks();
    const checkNow = () => checkAlerts({ ...env, ...configured }, START, true, fetcher);
    await Promise.all([checkNow(), checkNow(), checkNow()]);
    expect(calls).toHaveLength(1);
  });

  it('an alert is sent once while D1 and KV fail, and its end once they work', async () => {
    const broken = {
      ...configured,
      DB: aroundD1(env.DB, throwsBefore('D1 is down')),
      LINKS: aroundKv(env.LINKS, throwsBefore('KV is down')),
    };
    for (let i = 0; i < 3; i++) await check(broken);
    expect(calls.map((body) => JSON.parse(body).signal)).toEqual(['database', 'edge-store']);
    for (let i = 0; i < 3; i++) await check();
    expect(calls.slice(2).map((body) => [JSON.parse(body).event, JSON.parse(body).signal])).toEqual(
      [
        ['recovery', 'database'],
        ['recovery', 'edge-store'],
      ],
    );
  });
});

describe('watching', () => {
  const sentAlerts = async () =>
    (await rowsOf('system_facts'))
      .map(({ name }) => String(name))
      .filter((name) => name.startsWith('alert:'));
  const stopCron = () =>
    env.DB.prepare(`INSERT INTO job_runs (name, started_at, finished_at) VALUES ('outbox', ?1, ?1)`)
      .bind(Date.now() - 20 * MINUTE_MS)
      .run();

  it('cron checks the signals every minute', async () => {
    await addLostClicks(db, 2, Date.now());
    const ctx = createExecutionContext();
    await worker.scheduled(createScheduledController({ scheduledTime: Date.now() }), env, ctx);
    await waitOnExecutionContext(ctx);
    expect(await sentAlerts()).toEqual(['alert:lost-clicks']);
  });

  it('the queue consumer and GET /api/ready notice that cron has stopped', async () => {
    await stopCron();
    const VERSION = { ...env.VERSION, timestamp: new Date(Date.now() - DAY_MS).toISOString() };
    const older = { ...env, VERSION };
    await worker.queue(createMessageBatch('clicks', []), older, createExecutionContext());
    expect(await sentAlerts()).toEqual(['alert:cron']);
    await env.DB.prepare('DELETE FROM system_facts').run();
    const ready = await call('/api/ready', {}, { VERSION });
    expect([ready.status, ready.headers.get('Retry-After')]).toEqual([503, '60']);
    expect(await sentAlerts()).toEqual(['alert:cron']);
  });

  it('the consumer checks at most every five minutes', async () => {
    let reads = 0;
    const DB = aroundD1(env.DB, (_, run) => (reads++, run()));
    const later = Date.UTC(2030, 0, 1);
    const checkAt = async (ms: number) => {
      reads = 0;
      await checkAlertsSometimes({ ...env, DB }, later + ms);
      return reads > 0;
    };
    expect(await checkAt(0)).toBe(true);
    expect(await checkAt(5 * 60_000 - 1)).toBe(false);
    expect(await checkAt(5 * 60_000)).toBe(true);
  });

  it('a check costs two statements, one read of KV and no written row a minute', async () => {
    const seen: string[] = [];
    const note = (name: string, run: () => Promise<unknown>) => (seen.push(name), run());
    await check({ ...configured, DB: aroundD1(env.DB, note), LINKS: aroundKv(env.LINKS, note) });
    expect(seen.toSorted()).toEqual(['d1.all', 'd1.run', 'kv.get']);
    expect(await rowsOf('system_facts')).toEqual([]);
  });

  it('a queue’s checks write at most one row a minute, however many batches come', async () => {
    const batch = createMessageBatch('clicks', [
      { id: 'm', timestamp: new Date(START - 5_000), attempts: 1, body: null },
    ]);
    let writes = 0;
    const DB = aroundD1(env.DB, (_, run) => (writes++, run()));
    for (let second = 0; second < 120; second += 2)
      await recordQueue(openDb(DB), batch, 0, START + second * 1000);
    expect(writes).toBe(2);
    expect(await rowsOf('system_facts')).toEqual([
      {
        name: 'queue:clicks',
        at: START + MINUTE_MS,
        value: JSON.stringify({ lagMs: 65_000, failed: 0 }),
      },
    ]);
  });
});
