import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { BUILT_ORIGIN } from '#contract/pages/paths.ts';
import { openDb } from '#worker/db/client.ts';
import { aroundD1, countBatches } from '#worker/testing/faults.ts';
import { composeMail } from './compose.ts';
import { canSendMail, createMailer } from './mailer.ts';
import { MAILS } from './texts.ts';

const LOCAL = 'http://localhost:8787/';
const MAIL = composeMail('ada@example.com', MAILS.deletion);
const inputOf = (vars: Partial<Env>, requestUrl = LOCAL) => {
  const waiting: Promise<unknown>[] = [];
  const { db, batches } = countBatches(env.DB);
  const input = {
    env: { ...env, DEV_MAILBOX: 'off', MAIL_FROM: '', ...vars },
    db: openDb(db),
    requestUrl,
    now: 1_000,
    waitUntil: (work: Promise<unknown>) => void waiting.push(work),
  };
  return { input, waiting, batches };
};
const kept = () => env.DB.prepare('SELECT count(*) AS n FROM dev_mails').first<number>('n');

describe('createMailer', () => {
  it('simulating an email is the work of sending it, and keeps none', async () => {
    const { input, batches } = inputOf({ DEV_MAILBOX: 'on' });
    const mailer = createMailer(input);
    await mailer?.simulate(MAIL);
    expect(await kept()).toBe(0);
    await mailer?.send(MAIL);
    expect(await kept()).toBe(1);
    expect(batches).toEqual([2, 2]);
  });

  it('deferred work runs before the answer locally, and after it elsewhere', async () => {
    const sent: unknown[] = [];
    const EMAIL: SendEmail = {
      send: async (mail: unknown) => ({ messageId: String(sent.push(mail)) }),
    };
    for (const [vars, isAfter] of [
      [{ DEV_MAILBOX: 'on' }, false],
      [{ MAIL_FROM: 'hop@example.com', EMAIL }, true],
    ] as const) {
      const { input, waiting } = inputOf(vars);
      const { promise, resolve } = Promise.withResolvers<void>();
      let isAnswered = false;
      const deferred = createMailer(input)
        ?.defer(promise)
        .then(() => (isAnswered = true));
      await scheduler.wait(0);
      expect([isAnswered, waiting.length]).toEqual([isAfter, isAfter ? 1 : 0]);
      resolve();
      await deferred;
      await Promise.all(waiting);
    }
  });

  it.each([
    ['local', { DEV_MAILBOX: 'on', APP_ORIGIN: '' }, 'http://localhost:8787'],
    ['deployed', { DEV_MAILBOX: 'on', APP_ORIGIN: 'https://hop.example' }, 'https://hop.example'],
  ])('[T32] the picture of an email has the origin of the %s product', async (_, vars, origin) => {
    await createMailer(inputOf(vars).input)?.send(MAIL);
    const html = await env.DB.prepare('SELECT html FROM dev_mails ORDER BY id DESC').first<string>(
      'html',
    );
    expect(html).toContain(`<img src="${origin}/apple-touch-icon.png"`);
  });

  it('the picture of an email never has the origin of a forged request', async () => {
    const sent: { html?: string }[] = [];
    const EMAIL: SendEmail = {
      send: async (mail: object) => ({ messageId: String(sent.push(mail)) }),
    };
    const vars = { MAIL_FROM: 'hop@example.com', EMAIL, APP_ORIGIN: '' };
    await createMailer(inputOf(vars, 'https://forged.example/').input)?.send(MAIL);
    expect(sent[0]?.html).toContain('<img src="/apple-touch-icon.png"');
  });

  it('an email through the binding has its sender and its own headers', async () => {
    const sent: unknown[] = [];
    const EMAIL: SendEmail = {
      send: async (mail: unknown) => ({ messageId: String(sent.push(mail)) }),
    };
    const mailer = createMailer(inputOf({ MAIL_FROM: 'hop@example.com', EMAIL }).input);
    const headers = { 'List-Unsubscribe': '<https://hop.example/x>' };
    await mailer?.send({ ...MAIL, headers });
    await mailer?.send(MAIL);
    const html = MAIL.html.replace(BUILT_ORIGIN, 'http://localhost:8787');
    const { link: _, ...content } = { ...MAIL, html };
    const message = { ...content, from: { email: 'hop@example.com', name: 'Hop' } };
    expect(sent).toEqual([{ ...message, headers }, message]);
  });

  it('a sender with a name reaches the binding as an address and a name', async () => {
    const sent: { from: unknown }[] = [];
    const EMAIL: SendEmail = {
      send: async (mail: unknown) => ({
        messageId: String(sent.push({ from: null, ...Object(mail) })),
      }),
    };
    await createMailer(inputOf({ MAIL_FROM: 'Acme <hop@acme.example>', EMAIL }).input)?.send(MAIL);
    expect(sent[0]?.from).toEqual({ email: 'hop@acme.example', name: 'Acme' });
  });

  it('many emails end an earlier fault once, and again after each further fault', async () => {
    const ofRecipient = ['SUPPRESSED', 'NOT_ALLOWED'].map((why) => `E_RECIPIENT_${why}`);
    const theirs = [...ofRecipient, 'E_DELIVERY_FAILED'];
    const faults = [null, null, 'E_DAILY_LIMIT_EXCEEDED', null, ...theirs, null];
    const statements: number[] = [];
    const EMAIL: SendEmail = {
      send: async () => {
        const code = faults.shift();
        statements.push(0);
        if (code) throw Object.assign(new Error('not sent'), { code });
        return { messageId: '1' };
      },
    };
    const DB = aroundD1(env.DB, (_, run) => {
      statements.push((statements.pop() ?? 0) + 1);
      return run();
    });
    const mailer = createMailer(inputOf({ MAIL_FROM: 'hop@example.com', EMAIL, DB }).input);
    while (faults.length > 0) await mailer?.send(MAIL);
    expect(statements).toEqual([1, 0, 1, 1, 0, 0, 0, 0]);
  });

  it('without a sender only the local mailbox takes emails', () => {
    const REMOTE = 'https://hop.example/';
    for (const [vars, url, sends] of [
      [{}, LOCAL, false],
      [{ DEV_MAILBOX: 'on' }, LOCAL, true],
      [{ DEV_MAILBOX: 'on' }, REMOTE, false],
      [{ MAIL_FROM: 'hop@example.com' }, REMOTE, true],
      [{ MAIL_FROM: 'Hop hop@example.com' }, REMOTE, false],
    ] as const) {
      const { input } = inputOf(vars, url);
      expect([canSendMail(input.env, url), createMailer(input) !== null]).toEqual([sends, sends]);
    }
  });
});
