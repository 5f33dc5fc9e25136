import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { authSecret } from '#worker/auth/service/settings.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { rollUpAccounts } from '#worker/clicks/accounts/roll-up-accounts.ts';
import { UNBOUNDED } from '#worker/job-runtime/job-budget.ts';
import { saveJobState } from '#worker/job-runtime/job-state.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { deleteClicks, makeClick, makeLinks, makeWindow } from '#worker/testing/clicks.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { EMBEDDED, signInEmbedded } from '#worker/testing/sign-in.ts';
import { openDb } from '#worker/db/client.ts';
import { sendWeeklyMails } from './send-weekly-mails.ts';
import { subscribe as subscribeMember } from './store.ts';
import { unsubscribeToken } from './unsubscribe-token.ts';
import { readWeeklyReport } from './weekly-report.ts';

/** A Monday. */
const MONDAY = Date.UTC(2026, 10, 23);
const SIX = MONDAY + 6 * HOUR_MS;

let sent: unknown[] = [];
const textOf = (mail: unknown, part: 'to' | 'subject' | 'text' | 'html'): string =>
  typeof mail === 'object' && mail !== null && part in mail ? String(Reflect.get(mail, part)) : '';
const EMAIL: SendEmail = {
  send: async (mail: unknown) => ({ messageId: String(sent.push(mail)) }),
};
const DEPLOYED = {
  ...env,
  EMAIL,
  MAIL_FROM: 'hop@hop.example',
  APP_ORIGIN: 'https://hop.example',
  DEV_MAILBOX: '',
};

const subscribe = (person: Person) =>
  env.DB.prepare('INSERT INTO weekly_mails (user_id, since, sent_week) VALUES (?, ?, ?)')
    .bind(person.id, MONDAY - 20 * DAY_MS, MONDAY / DAY_MS - 7)
    .run();
const isSubscribed = async ({ id }: Person) =>
  (await env.DB.prepare('SELECT 1 FROM weekly_mails WHERE user_id = ?').bind(id).first()) !== null;
/** Members with a link each, subscribed, with clicks in the last two weeks. */
async function makeMembers(n: number): Promise<Person[]> {
  const people = await Promise.all(Array.from({ length: n }, () => makePerson()));
  for (const [i, person] of people.entries()) {
    await makeLinks([10 + i], person.id);
    await subscribe(person);
  }
  const clicks = people.flatMap((_, i) => [
    ...[1, 1, 3].map((day) => makeClick(10 + i, { t: MONDAY - day * DAY_MS })),
    makeClick(10 + i, { t: MONDAY - 9 * DAY_MS }),
    makeClick(10 + i, { t: MONDAY - 15 * DAY_MS }),
    makeClick(10 + i, { t: MONDAY }),
  ]);
  await foldWindows(env.DB, [makeWindow(clicks)], SIX);
  return people;
}
const rollUp = () => rollUpAccounts(env, SIX, UNBOUNDED);

beforeEach(async () => {
  sent = [];
  await deleteClicks();
  await env.DB.batch(
    ['links', 'weekly_mails'].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
  );
});

describe('sendWeeklyMails', () => {
  it('the weekly mail tells what happened in the week, once, and how to stop it', async () => {
    const [me] = await makeMembers(1);
    if (me === undefined) throw new Error('no member');
    await makeLinks([20, 21, 22, 23, 24, 25, 26], me.id);
    const disabled =
      "UPDATE links SET status = 'disabled', disabled_by = 'owner', updated_at = ? WHERE id = ?";
    const change =
      "INSERT INTO link_changes (link_id, at, target, status, title, note, code, tags, archived) VALUES (?, ?, '', ?, '', '', '', '[]', 0)";
    await env.DB.batch([
      // Disabled in the week and edited after it; disabled before it and edited in it; imported in
      // it.
      env.DB.prepare(disabled).bind(MONDAY + HOUR_MS, 23),
      env.DB.prepare(change).bind(23, MONDAY - 3 * DAY_MS, 'active'),
      env.DB.prepare(change).bind(23, MONDAY + HOUR_MS, 'disabled'),
      env.DB.prepare(disabled).bind(MONDAY - DAY_MS, 24),
      env.DB.prepare(change).bind(24, MONDAY - 9 * DAY_MS, 'active'),
      env.DB.prepare(change).bind(24, MONDAY - DAY_MS, 'disabled'),
      env.DB.prepare(disabled).bind(MONDAY - DAY_MS, 25),
      env.DB.prepare('UPDATE links SET expires_at = ?, imported_at = ? WHERE id = 26').bind(
        MONDAY - DAY_MS,
        MONDAY - HOUR_MS,
      ),
      env.DB.prepare('UPDATE links SET expires_at = ? WHERE id = 20').bind(MONDAY - DAY_MS),
      env.DB.prepare(
        "UPDATE links SET status = 'disabled', disabled_by = 'blocklist', updated_at = ? WHERE id = 21",
      ).bind(MONDAY - 2 * DAY_MS),
      env.DB.prepare('UPDATE links SET expires_at = ? WHERE id = 22').bind(MONDAY - 8 * DAY_MS),
    ]);
    expect(await sendWeeklyMails(DEPLOYED, SIX)).toEqual({ reason: 'week_not_counted' });
    await rollUp();
    expect(await sendWeeklyMails(DEPLOYED, SIX - 1)).toEqual({});
    expect(await sendWeeklyMails({ ...DEPLOYED, MAIL_FROM: '' }, SIX)).toEqual({
      reason: 'no_mailer',
    });
    await Promise.all([sendWeeklyMails(DEPLOYED, SIX), sendWeeklyMails(DEPLOYED, SIX)]);
    await sendWeeklyMails(DEPLOYED, SIX + 3 * HOUR_MS);
    const token = unsubscribeToken(authSecret(env), me.id);
    expect(sent).toEqual([
      expect.objectContaining({
        to: me.email,
        subject: '3 clicks on your Hop links last week',
        headers: {
          'List-Unsubscribe': `<https://hop.example/api/weekly-mail/unsubscribe?token=${token}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      }),
    ]);
    const [mail] = sent;
    expect(textOf(mail, 'text')).toContain('Your links, Nov 16 to Nov 22');
    expect(textOf(mail, 'text')).toContain('- hop.example/link10: 3 clicks, up 200%');
    expect(textOf(mail, 'text')).toContain(
      '- hop.example/link20: its end date has passed.\n- hop.example/link21: it was disabled. My URLs has the reason.\n- hop.example/link23: you disabled it.\n\n',
    );
    expect(textOf(mail, 'text')).not.toMatch(/link2[2456]/);
    expect(textOf(mail, 'text')).toContain(`https://hop.example/unsubscribe#${token}`);
    expect(textOf(mail, 'html')).toContain('<li>hop.example/link10: 3 clicks, up 200%</li>');
    // The next week has one click, on its Monday.
    await rollUpAccounts(env, SIX + 7 * DAY_MS, UNBOUNDED);
    await sendWeeklyMails(DEPLOYED, SIX + 7 * DAY_MS);
    expect(textOf(sent[1], 'subject')).toBe('1 click on your Hop links last week');
    // Nothing has happened in the two weeks before.
    await rollUpAccounts(env, SIX + 21 * DAY_MS, UNBOUNDED);
    await sendWeeklyMails(DEPLOYED, SIX + 21 * DAY_MS);
    expect(sent).toHaveLength(2);
  });

  it('the weekly mail continues where it stopped, and skips suspended members', async () => {
    const people = await makeMembers(8);
    await rollUp();
    await env.DB.prepare('UPDATE users SET suspended_at = 1 WHERE id = ?')
      .bind(people[0]?.id)
      .run();
    // The mail of a member without an address would fail.
    await env.DB.prepare("UPDATE users SET email = '' WHERE id = ?").bind(people[1]?.id).run();
    let steps = 0;
    const three = { canContinue: () => steps++ < 3, kvWrites: () => 0 };
    expect(await sendWeeklyMails(DEPLOYED, SIX, three)).toEqual({
      done: { mails_sent: 3 },
      left: 1,
    });
    expect(await sendWeeklyMails(DEPLOYED, SIX)).toEqual({ done: { mails_sent: 3 } });
    expect(sent.map((mail) => textOf(mail, 'to')).sort()).toEqual(
      people
        .slice(2)
        .map(({ email }) => email)
        .sort(),
    );
    expect(await sendWeeklyMails(DEPLOYED, MONDAY + 2 * DAY_MS)).toEqual({});
  });

  it('sends once clicks are rolled up to the end of Sunday', async () => {
    const rolledUpTo = (at: number) =>
      saveJobState(openDb(env.DB), 'account-days:result', { at, ok: true, detail: String(at) });
    await rolledUpTo(MONDAY - 1);
    expect(await sendWeeklyMails(DEPLOYED, SIX)).toEqual({ reason: 'week_not_counted' });
    await rolledUpTo(MONDAY);
    expect(await sendWeeklyMails(DEPLOYED, SIX)).toEqual({ done: { mails_sent: 0 } });
  });

  it('sends first to those who have waited longest', async () => {
    const people = await makeMembers(3);
    await rollUp();
    await env.DB.prepare('UPDATE weekly_mails SET sent_week = ?1 WHERE user_id = ?2')
      .bind(MONDAY / DAY_MS - 14, people[1]?.id)
      .run();
    let steps = 0;
    const one = { canContinue: () => steps++ < 1, kvWrites: () => 0 };
    expect(await sendWeeklyMails(DEPLOYED, SIX, one)).toEqual({ done: { mails_sent: 1 }, left: 1 });
    expect(sent.map((mail) => textOf(mail, 'to'))).toEqual([people[1]?.email]);
  });

  it('sends the other mails when one cannot be sent, and that one never again', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const [bounced, other] = await makeMembers(2);
    await rollUp();
    const send = async (mail: unknown) => {
      if (textOf(mail, 'to') === bounced?.email) throw new Error('refused');
      return { messageId: String(sent.push(mail)) };
    };
    expect(await sendWeeklyMails({ ...DEPLOYED, EMAIL: { send } }, SIX)).toEqual({
      done: { mails_sent: 2 },
    });
    expect(await sendWeeklyMails(DEPLOYED, SIX)).toEqual({ done: { mails_sent: 0 } });
    expect(sent.map((mail) => textOf(mail, 'to'))).toEqual([other?.email]);
    vi.restoreAllMocks();
  });

  it('sends to proven mailboxes only, with the embedded sign-in', async () => {
    const [proven, unproven, changed] = await makeMembers(3);
    await rollUp();
    for (const [person, email, provenAt] of [
      [proven, proven?.email, 1],
      [unproven, unproven?.email, null],
      [changed, 'another@example.com', 1],
    ] as const)
      await env.DB.prepare(
        'INSERT INTO auth_users (id, email, created_at, updated_at, proven_at) VALUES (?, ?, 0, 0, ?)',
      )
        .bind(person?.id, email, provenAt)
        .run();
    await sendWeeklyMails({ ...DEPLOYED, SUPABASE_URL: '' }, SIX);
    expect(sent.map((mail) => textOf(mail, 'to'))).toEqual([proven?.email]);
  });
});

describe('readWeeklyReport', () => {
  it('there is news of clicks in the week before, and of links that have stopped', async () => {
    const [clicked, stopped, idle] = [await makePerson(), await makePerson(), await makePerson()];
    await makeLinks([1], clicked.id);
    const ended = Array.from({ length: 12 }, (_, at) => 30 + at);
    await makeLinks(ended, stopped.id);
    await env.DB.prepare('UPDATE links SET expires_at = ? WHERE id >= 30')
      .bind(MONDAY - DAY_MS)
      .run();
    for (const person of [clicked, stopped, idle]) await subscribe(person);
    await foldWindows(env.DB, [makeWindow([makeClick(1, { t: MONDAY - 8 * DAY_MS })])], SIX);
    await rollUp();
    const read = async ({ id }: Person) => {
      const report = await readWeeklyReport(openDb(env.DB), id, MONDAY / DAY_MS);
      return report && [report.clicks, report.clicksBefore, report.stopped.length];
    };
    // Ten links are listed. The eleventh tells that there are more.
    expect([await read(clicked), await read(stopped), await read(idle)]).toEqual([
      [0, 1, 0],
      [0, 0, 11],
      null,
    ]);
  });

  it('a report lists the five most clicked links, with their clicks of the week before', async () => {
    const me = await makePerson();
    await makeLinks([1, 2, 3, 4, 5, 6], me.id);
    const [inWeek, before] = [{ t: MONDAY - DAY_MS, k: 'v' }, { t: MONDAY - 8 * DAY_MS }];
    const clicks = [1, 2, 3, 4, 5, 6].flatMap((id) =>
      Array.from({ length: 7 }, (_, i) => makeClick(id, i < 7 - id ? inWeek : before)),
    );
    await foldWindows(env.DB, [makeWindow(clicks)], SIX);
    await subscribe(me);
    await rollUp();
    const report = await readWeeklyReport(openDb(env.DB), me.id, MONDAY / DAY_MS);
    expect(report?.top.map((link) => [link.id, link.clicks, link.clicksBefore])).toEqual([
      [1, 6, 1],
      [2, 5, 2],
      [3, 4, 3],
      [4, 3, 4],
      [5, 2, 5],
    ]);
    expect(report).toMatchObject({
      days: [MONDAY / DAY_MS - 7, MONDAY / DAY_MS - 1],
      clicks: 21,
      clicksBefore: 21,
      visitors: 6,
    });
  });
});

describe('/api/weekly-mail', () => {
  it('the mail is off until a member with a confirmed address asks for it', async () => {
    const me = await makePerson();
    const change = (enabled: boolean, overrides: Partial<Env> = {}) =>
      call(
        '/api/weekly-mail',
        { method: 'PATCH', json: { enabled }, headers: me.headers },
        { MAIL_FROM: 'hop@hop.example', ...overrides },
      );
    const state = async () =>
      (
        await call('/api/weekly-mail', { headers: me.headers }, { MAIL_FROM: '', DEV_MAILBOX: '' })
      ).json();
    expect(await state()).toEqual({ enabled: false, offered: false });
    expect((await change(true, { MAIL_FROM: '', DEV_MAILBOX: '' })).status).toBe(409);
    const answer = { id: me.id, email: me.email, email_confirmed_at: null as string | null };
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json(answer)));
    expect((await change(true)).status).toBe(403);
    expect(await isSubscribed(me)).toBe(false);
    answer.email_confirmed_at = '2026-01-01T00:00:00Z';
    expect(await (await change(true)).json()).toEqual({ enabled: true, offered: true });
    vi.unstubAllGlobals();
    expect(await state()).toMatchObject({ enabled: true });
    expect(await (await change(false)).json()).toMatchObject({ enabled: false });
    expect(await isSubscribed(me)).toBe(false);
  });

  it('the embedded sign-in offers it to members who have proven their mailbox', async () => {
    const { id, headers } = await signInEmbedded();
    const prove = env.DB.prepare('UPDATE auth_users SET proven_at = ?1 WHERE id = ?2');
    const init = { method: 'PATCH', json: { enabled: true }, headers };
    const statuses: number[] = [];
    for (const provenAt of [null, 1]) {
      await prove.bind(provenAt, id).run();
      statuses.push((await call('/api/weekly-mail', init, EMBEDDED)).status);
    }
    expect(statuses).toEqual([403, 200]);
  });

  it('a second subscription keeps the date of the first, whose week stays unsent', async () => {
    const me = await makePerson();
    const row = () =>
      env.DB.prepare('SELECT since, sent_week FROM weekly_mails WHERE user_id = ?')
        .bind(me.id)
        .first();
    const db = openDb(env.DB);
    await subscribeMember(db, me.id, MONDAY / DAY_MS, MONDAY);
    await subscribeMember(db, me.id, MONDAY / DAY_MS + 7, MONDAY + 7 * DAY_MS);
    expect(await row()).toEqual({ since: MONDAY, sent_week: MONDAY / DAY_MS });
  });

  it('[A21] the weekly mail stops with the signed link only, by POST and without sign-in', async () => {
    const [me, other] = [await makePerson(), await makePerson()];
    await subscribe(me);
    await subscribe(other);
    const token = unsubscribeToken(authSecret(env), me.id);
    const path = (text: string) => `/api/weekly-mail/unsubscribe?token=${encodeURIComponent(text)}`;
    const opened = await call(path(token));
    expect([opened.status, opened.headers.get('Location')]).toEqual([
      303,
      `${ORIGIN}/unsubscribe#${token}`,
    ]);
    const ofOtherKey = unsubscribeToken('another-secret-of-the-tests', me.id);
    const forged = [
      `${other.id}.${token.split('.')[1]}`,
      `${me.id}.`,
      '.',
      token.slice(0, -1),
      `${token}0`,
      other.id,
      ofOtherKey,
    ];
    for (const text of forged)
      expect((await call(path(text), { method: 'POST' })).status).toBe(404);
    expect([await isSubscribed(me), await isSubscribed(other)]).toEqual([true, true]);
    const LIMIT_READS = { limit: async () => ({ success: false }) };
    const limited = await call(path(token), { method: 'POST' }, { LIMIT_READS });
    expect([limited.status, await isSubscribed(me)]).toEqual([429, true]);
    // As a mail program sends it.
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await call(path(token), { method: 'POST', body })).status).toBe(200);
    expect([await isSubscribed(me), await isSubscribed(other)]).toEqual([false, true]);
    expect((await call(path(token), { method: 'POST' })).status).toBe(200);
  });
});
