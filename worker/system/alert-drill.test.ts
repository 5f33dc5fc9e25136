import { env } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ReadyResponse, SystemReport, TestAlertResponse } from '#contract/system/system.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { addLostClicks } from '#worker/db/system-facts.ts';
import { composeMail } from '#worker/mail/compose.ts';
import { createMailer } from '#worker/mail/mailer.ts';
import { MAILS } from '#worker/mail/texts.ts';
import { call } from '#worker/testing/call.ts';
import { rowsOf } from '#worker/testing/clicks.ts';
import { logLines } from '#worker/testing/log-lines.ts';
import { takeWindow } from '#worker/metrics/counters.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { checkAlerts } from './check-alerts.ts';

const WEBHOOK = 'https://hooks.example/x';
const START = Date.UTC(2027, 0, 10, 12);
const db = openDb(env.DB);

/** The network's edge: what the webhook and the sending service answer, and what reached them. */
let webhookStatus = 200;
let mailFault: string | null = null;
let told: string[] = [];
let tries = 0;
const EMAIL: SendEmail = {
  send: (mail: unknown) => {
    tries += 1;
    if (mailFault !== null)
      return Promise.reject(Object.assign(new Error('refused'), { code: mailFault }));
    told.push(`mail: ${String(Object(mail).subject)}`);
    return Promise.resolve({ messageId: '' });
  },
};
const fetcher = (_: string, init?: RequestInit): Promise<Response> => {
  tries += 1;
  const { event, signal = '' } = JSON.parse(typeof init?.body === 'string' ? init.body : '');
  if (webhookStatus === 200) told.push(`webhook: ${event} ${signal}`.trim());
  return Promise.resolve(new Response('', { status: webhookStatus }));
};

const BY_MAIL: Partial<Env> = { EMAIL, MAIL_FROM: 'hop@hop.example', DEV_MAILBOX: 'off' };
const BY_BOTH: Partial<Env> = { ...BY_MAIL, ALERT_WEBHOOK_URL: WEBHOOK };
let now = START;
async function minutes(count: number, see: Partial<Env>): Promise<void> {
  for (let minute = 0; minute < count; minute++) {
    now += MINUTE_MS;
    vi.setSystemTime(now);
    await env.DB.batch(
      [
        `INSERT OR REPLACE INTO job_runs (name, started_at, finished_at) VALUES ('outbox', ?1, ?1)`,
        `INSERT OR REPLACE INTO system_facts (name, at) VALUES ('backup', ?1)`,
      ].map((sql) => env.DB.prepare(sql).bind(now)),
    );
    await checkAlerts({ ...env, ...see }, now, true, fetcher);
  }
}
const loseClicks = () => addLostClicks(db, 2, now);
const factNames = async () =>
  (await rowsOf('system_facts')).map(({ name }) => name).filter((name) => name !== 'backup');
const findClicks = () => env.DB.prepare(`DELETE FROM system_facts WHERE name LIKE 'lost:%'`).run();

async function ready(see: Partial<Env>): Promise<[number, ReadyResponse]> {
  const response = await call('/api/ready', {}, see);
  return [response.status, await response.json()];
}
async function signalOf(see: Partial<Env>) {
  const response = await call('/api/admin/system', { headers: admin.headers }, see);
  const { signals } = await response.json<SystemReport>();
  return signals.find(({ signal }) => signal === 'alerts');
}

let admin: Person;
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
beforeEach(async () => {
  // Test files before this one have counted failures of their own in the same isolate.
  takeWindow();
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(START);
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  vi.spyOn(globalThis, 'fetch').mockImplementation((_, init) => fetcher('', init));
  await env.DB.batch(
    ['system_facts', 'job_runs', 'counters', 'users', 'admin_log'].map((name) =>
      env.DB.prepare(`DELETE FROM ${name}`),
    ),
  );
  await env.LINKS.delete('system:alerts');
  [now, webhookStatus, mailFault, told, tries] = [START, 200, null, [], 0];
  admin = await makePerson({ role: 'admin' });
});

describe('the alert drill', () => {
  it('an alert counts as sent once it reached somebody, and is tried again until then', async () => {
    webhookStatus = 500;
    mailFault = 'E_DAILY_LIMIT_EXCEEDED';
    await loseClicks();
    await minutes(1, BY_BOTH);
    expect(tries).toBe(2);
    expect(await signalOf(BY_BOTH)).toMatchObject({
      state: 'bad',
      sentence: expect.stringMatching(
        /^1 alert reached nobody.*mail \(E_DAILY.*webhook \(HTTP 500/,
      ),
    });
    expect(await ready(BY_BOTH)).toEqual([503, { ok: true, alerts: false }]);
    await minutes(10, BY_BOTH);
    expect(tries).toBe(12);
    expect(told).toEqual([]);

    webhookStatus = 200;
    mailFault = null;
    await minutes(6, BY_BOTH);
    expect(told.filter((one) => one.startsWith('webhook'))).toEqual(['webhook: alert lost-clicks']);
    expect(told.filter((one) => one.startsWith('mail'))).toEqual([
      'mail: Hop needs your attention: Lost clicks',
    ]);
    expect(await ready(BY_BOTH)).toEqual([200, { ok: true, alerts: true }]);
    expect(await signalOf(BY_BOTH)).toMatchObject({ state: 'ok' });

    told = [];
    await findClicks();
    await minutes(4, BY_BOTH);
    expect(told.toSorted()).toEqual([
      'mail: Hop has recovered: Lost clicks is fine again after 18 minutes',
      'webhook: recovery lost-clicks',
    ]);
  });

  it('one channel that works is enough, and the other one is a warning', async () => {
    mailFault = 'E_SENDER_NOT_VERIFIED';
    await loseClicks();
    await minutes(8, BY_BOTH);
    expect(told).toEqual(['webhook: alert lost-clicks', 'webhook: alert mail']);
    expect(await signalOf(BY_BOTH)).toMatchObject({
      state: 'warn',
      sentence: 'Failing for 7 minutes: mail (E_SENDER_NOT_VERIFIED).',
    });
    expect(await ready(BY_BOTH)).toEqual([200, { ok: true, alerts: true }]);
  });

  it('an alert without an administrator to mail has reached nobody', async () => {
    await env.DB.prepare(`UPDATE users SET role = 'user'`).run();
    await loseClicks();
    await minutes(4, BY_MAIL);
    expect(await ready(BY_MAIL)).toEqual([503, { ok: true, alerts: false }]);
    await env.DB.prepare(`UPDATE users SET role = 'admin'`).run();
    await minutes(4, BY_MAIL);
    expect(told).toHaveLength(1);
    expect(await ready(BY_MAIL)).toEqual([200, { ok: true, alerts: true }]);
  });

  it('the log has the end of an alert that has reached nobody', async () => {
    const logged = logLines();
    webhookStatus = 500;
    await loseClicks();
    await minutes(1, { ALERT_WEBHOOK_URL: WEBHOOK });
    await findClicks();
    await minutes(4, { ALERT_WEBHOOK_URL: WEBHOOK });
    expect(logged().filter(({ event }) => event === 'alert_over')).toMatchObject([
      { signal: 'lost-clicks' },
    ]);
    expect(tries).toBeGreaterThan(0);
    expect(await factNames()).not.toContain('alert:lost-clicks');
  });
});

describe('an installation that sends mail only', () => {
  const send = async (fault: string | null) => {
    mailFault = fault;
    const input = { env: { ...env, ...BY_MAIL }, db, requestUrl: 'https://hop.example/', now };
    const mailer = createMailer({ ...input, waitUntil: () => undefined });
    return mailer?.send(composeMail('member@example.com', MAILS.deletion));
  };

  it('says that mail is broken without any alert, and notices when it works again', async () => {
    await minutes(1, BY_MAIL);
    expect(await send('E_DAILY_LIMIT_EXCEEDED')).toBe('E_DAILY_LIMIT_EXCEEDED');
    expect(await ready(BY_MAIL)).toEqual([200, { ok: true, alerts: true }]);
    await minutes(7, BY_MAIL);
    expect(await ready(BY_MAIL)).toEqual([503, { ok: true, alerts: false }]);
    expect(await signalOf(BY_MAIL)).toMatchObject({
      state: 'bad',
      sentence: 'Failing for 7 minutes: mail (E_DAILY_LIMIT_EXCEEDED).',
    });
    mailFault = null;
    await minutes(5, BY_MAIL);
    expect(await ready(BY_MAIL)).toEqual([200, { ok: true, alerts: true }]);
    expect(await factNames()).toEqual([]);
  });

  it.each(['E_DELIVERY_FAILED', 'E_RECIPIENT_NOT_ALLOWED', 'E_RECIPIENT_SUPPRESSED'])(
    'a mail that fails because of its recipient (%s) says nothing about mail',
    async (fault) => {
      expect(await send(fault)).toBe(fault);
      expect(await factNames()).toEqual([]);
    },
  );

  it('a mail that was accepted ends the failure', async () => {
    await send('E_INTERNAL_SERVER_ERROR');
    expect(await rowsOf('system_facts')).toMatchObject([
      { name: 'fails:mail', value: 'E_INTERNAL_SERVER_ERROR' },
    ]);
    expect(await send(null)).toBeNull();
    expect(await factNames()).toEqual([]);
  });
});

describe('GET /api/admin/system', () => {
  it('shows each job as its last run was stored, and the release', async () => {
    const insert = env.DB.prepare(
      `INSERT INTO job_runs (name, started_at, finished_at, ok, detail, failing_since)
       VALUES (?1, ?2, ?3, 0, ?4, ?5)`,
    );
    await env.DB.batch([
      insert.bind('sweep', START - 9, START - 8, 'It broke.', START - 7),
      insert.bind('sweep:backlog', START - 6, START - 5, '4', null),
    ]);
    const VERSION = { id: 'v', tag: '', timestamp: '2027-01-01T00:00:00Z' };
    const init = { headers: admin.headers };
    const response = await call('/api/admin/system', init, { VERSION });
    const time = (ago: number) => new Date(START - ago).toISOString();
    expect(await response.json<SystemReport>()).toMatchObject({
      checkedAt: time(0),
      release: { deployedAt: VERSION.timestamp },
      jobs: [
        {
          name: 'sweep',
          startedAt: time(9),
          finishedAt: time(8),
          ok: false,
          detail: 'It broke.',
          failingSince: time(7),
          backlog: { left: 4, since: time(6) },
        },
      ],
    });
  });
});

describe('POST /api/admin/system/test-alert', () => {
  const test = (see: Partial<Env>) =>
    call('/api/admin/system/test-alert', { method: 'POST', headers: admin.headers }, see);

  it('sends a test through every channel and says how each went', async () => {
    const fine = await test(BY_BOTH);
    expect(await fine.json<TestAlertResponse>()).toEqual({
      channels: [
        { channel: 'mail', sent: 1, failed: 0, fault: '' },
        { channel: 'webhook', sent: 1, failed: 0, fault: '' },
      ],
    });
    expect(told.toSorted()).toEqual([
      'mail: Hop can reach you: This is a test alert',
      'webhook: test',
    ]);
    webhookStatus = 404;
    mailFault = 'E_SENDER_NOT_VERIFIED';
    expect(await (await test(BY_BOTH)).json<TestAlertResponse>()).toEqual({
      channels: [
        { channel: 'mail', sent: 0, failed: 1, fault: 'E_SENDER_NOT_VERIFIED' },
        { channel: 'webhook', sent: 0, failed: 1, fault: 'HTTP 404' },
      ],
    });
    expect((await rowsOf('admin_log')).map(({ action }) => action)).toEqual([
      'test_alert',
      'test_alert',
    ]);
  });

  it('mails at most twenty administrators', async () => {
    await env.DB.prepare(
      `INSERT INTO users (id, email, role, created_at, last_seen_at)
       SELECT 'a' || value, value || '@acme.test', 'admin', 1, 1 FROM json_each(?1)`,
    )
      .bind(JSON.stringify(Array.from({ length: 25 }, (_, at) => at)))
      .run();
    expect(await (await test(BY_MAIL)).json<TestAlertResponse>()).toMatchObject({
      channels: [{ sent: 20 }],
    });
  });

  it('answers 429 after five tests in ten minutes', async () => {
    const statuses: number[] = [];
    for (let nth = 0; nth < 5; nth++) statuses.push((await test({})).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    const refused = await test({});
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '600']);
    vi.setSystemTime(START + 10 * MINUTE_MS);
    expect((await test({})).status).toBe(200);
  });
});
