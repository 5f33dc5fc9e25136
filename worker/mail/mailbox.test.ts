import { env } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { EMBEDDED, mailsTo } from '#worker/testing/sign-in.ts';
import { composeMail } from './compose.ts';
import { createMailer, createNotifier } from './mailer.ts';
import { d1Down } from '#worker/testing/faults.ts';
import { MAILS } from './texts.ts';

const local = (DB: D1Database = env.DB) => ({
  env: { ...env, DEV_MAILBOX: 'on' },
  db: openDb(DB),
  requestUrl: 'http://localhost:8787/',
  now: 1_000,
  waitUntil: () => {},
});
const mailerOf = (DB?: D1Database) =>
  createMailer(local(DB)) ?? expect.fail('This server cannot send email.');
const mailer = () => mailerOf();
const mail = (to: string, link = 'http://localhost:8787/api/auth/v1/verify?token=x&type=signup') =>
  composeMail(to, MAILS.signup(3_600_000), link, '012345');
afterEach(() => vi.restoreAllMocks());
describe('the local mailbox', () => {
  it('[T39] the mailbox exists only with DEV_MAILBOX=on on a loopback host', async () => {
    expect((await call('/dev/mailbox', {}, EMBEDDED)).status).toBe(200);
    for (const path of ['/dev/mailbox', '/dev/mailbox.json']) {
      expect((await call(path, {}, { ...EMBEDDED, DEV_MAILBOX: 'off' })).status).toBe(404);
      expect(
        (
          await call(
            `https://hop.example${path}`,
            {},
            { ...EMBEDDED, APP_ORIGIN: 'https://hop.example' },
          )
        ).status,
      ).toBe(404);
    }
    expect((await call('/dev/other', {}, EMBEDDED)).status).toBe(404);
    expect((await call('/dev/mailbox', { method: 'HEAD' }, EMBEDDED)).status).toBe(200);
    const posted = await call('/dev/mailbox', { method: 'POST' }, EMBEDDED);
    expect([posted.status, posted.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('returns the emails to one address as JSON, newest first', async () => {
    await mailer().send(mail('ada@example.com', 'http://localhost/1'));
    await mailer().send(mail('bob@example.com'));
    await mailer().send(mail('ada@example.com', 'http://localhost/2'));
    const mails = await mailsTo('Ada@Example.com');
    expect(mails.map((kept) => kept.link)).toEqual(['http://localhost/2', 'http://localhost/1']);
    expect(mails[0]).toEqual({
      to: 'ada@example.com',
      subject: 'Confirm your email address for Hop',
      text: expect.stringContaining('012345'),
      html: expect.stringContaining('012345'),
      link: 'http://localhost/2',
      sentAt: '1970-01-01T00:00:01.000Z',
    });
  });

  it('[T18] escapes what an email contains, in the page and in the email', async () => {
    const evil = 'http://localhost/"><script>alert(1)</script>';
    await mailer().send(mail('"><img src=x onerror=alert(1)>@example.com', evil));
    expect(mail('a@example.com', evil).html).not.toContain('<script>');
    const page = await call('/dev/mailbox', {}, EMBEDDED);
    const html = await page.text();
    expect(html).not.toContain('<script>');
    expect(html).not.toContain('<img');
    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(page.headers.get('Cache-Control')).toBe('no-store');
    const query = await call('/dev/mailbox?to="><script>alert(1)</script>', {}, EMBEDDED);
    expect(await query.text()).not.toContain('<script>');
  });

  it('the mailbox keeps the last 200 emails', async () => {
    for (let i = 0; i < 205; i += 1)
      await mailer().send(mail('many@example.com', `http://localhost/${i}`));
    const { results } = await env.DB.prepare('SELECT count(*) AS n FROM dev_mails').all<{
      n: number;
    }>();
    expect(results[0]?.n).toBe(200);
    expect((await mailsTo('many@example.com'))[0]?.link).toBe('http://localhost/204');
  });

  it('logs a notice that cannot be stored, without its address', async () => {
    const lines: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
    const DB = d1Down(env.DB, 'no room for ada@example.com');
    await createNotifier(local(DB))(mail('ada@example.com'));
    expect(lines.join()).toContain('auth_mail_failed');
    expect(lines.join()).not.toContain('ada@example.com');
  });

  it('a mail says how long a link works in words', () => {
    const says = (ms: number) =>
      /for ([^.]+)\./.exec(
        composeMail('a@example.com', MAILS.recovery(ms), 'x', '1').text.split('once, ')[1] ?? '',
      )?.[1];
    const durations = [60_000, 600_000, 3_600_000, 86_400_000, 604_800_000];
    expect(durations.map(says)).toEqual(['1 minute', '10 minutes', '1 hour', '24 hours', '7 days']);
  });
});
