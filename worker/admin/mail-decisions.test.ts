import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PlanType } from '#contract/site.ts';
import { openDb } from '#worker/db/client.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { admin_log } from '#worker/db/schema-moderation.ts';
import { job_runs } from '#worker/db/schema-system.ts';
import { UNBOUNDED } from '#worker/job-runtime/job-budget.ts';
import { call } from '#worker/testing/call.ts';
import { makeLinks } from '#worker/testing/clicks.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { changePlan } from './user-actions.ts';
import { mailDecisions } from './mail-decisions.ts';

const db = openDb(env.DB);
let sent: { to: string; subject: string; text: string }[] = [];
const readMail = (mail: unknown, part: 'to' | 'subject' | 'text') =>
  typeof mail === 'object' && mail !== null ? String(Reflect.get(mail, part)) : '';
const EMAIL: SendEmail = {
  send: async (mail: unknown) => {
    sent.push({
      to: readMail(mail, 'to'),
      subject: readMail(mail, 'subject'),
      text: readMail(mail, 'text'),
    });
    return { messageId: '1' };
  },
};
const DEPLOYED = {
  ...env,
  EMAIL,
  MAIL_FROM: 'hop@hop.example',
  APP_ORIGIN: 'https://hop.example',
  SUPPORT_EMAIL: 'help@hop.example',
  DEV_MAILBOX: '',
};
const LATER = () => Date.now() + MINUTE_MS;
const run = (over: Partial<Env> = {}, now = LATER()) =>
  mailDecisions({ ...DEPLOYED, ...over }, now);

let admin: Person;
const moderate = (action: 'disable' | 'enable', scope: Record<string, string>, reason: string) =>
  call('/api/admin/moderation', { json: { action, scope, reason }, headers: admin.headers });

beforeEach(async () => {
  sent = [];
  await db.batch([db.delete(admin_log), db.delete(job_runs)]);
  for (const table of ['links', 'link_holds']) await env.DB.prepare(`DELETE FROM ${table}`).run();
  admin = await makePerson({ role: 'admin' });
  await run();
});

describe('mailDecisions', () => {
  it('tells the owner which link was disabled and why, once', async () => {
    const owner = await makePerson();
    await makeLinks([1, 2], owner.id);
    const { code } = (await env.DB.prepare('SELECT code FROM links WHERE id = 1').first<{
      code: string;
    }>()) ?? { code: '' };
    expect((await moderate('disable', { kind: 'link', code }, 'Phishing.')).status).toBe(200);
    expect(await run()).toEqual({ done: { mails_sent: 1 } });
    expect(sent).toMatchObject([
      { to: owner.email, subject: 'We disabled a link of yours on Hop' },
    ]);
    expect(sent[0]?.text).toContain(
      'It no longer redirects and shows visitors the reason: Phishing.',
    );
    expect(sent[0]?.text).toContain(`https://hop.example/${code}`);
    expect(sent[0]?.text).toContain('Write to help@hop.example.');
    expect(sent[0]?.text).toContain('https://hop.example/dashboard');
    expect(await run()).toEqual({ done: { mails_sent: 0 } });
    expect(sent).toHaveLength(1);
  });

  it('a disabled host is one email per owner, with at most ten of the links', async () => {
    const [one, many] = [await makePerson(), await makePerson()];
    await makeLinks([1], one.id);
    await makeLinks(
      Array.from({ length: 13 }, (_, i) => 10 + i),
      many.id,
    );
    await makeLinks([30]);
    await moderate('disable', { kind: 'host', host: 'example.com' }, 'Malware.');
    await env.DB.prepare("UPDATE links SET status = 'deleted' WHERE id = 10").run();
    await run();
    const subjects = Object.fromEntries(sent.map(({ to, subject }) => [to, subject]));
    expect(subjects).toEqual({
      [one.email]: 'We disabled a link of yours on Hop',
      [many.email]: 'We disabled 12 links of yours on Hop',
    });
    const { text = '' } = sent.find(({ to }) => to === many.email) ?? {};
    expect(text.match(/https:\/\/hop\.example\/\w/g)?.length).toBe(10 + 1);
    expect(text).toContain('- and 2 more links');
  });

  it('a host that is disabled again tells of the links that it held only now', async () => {
    const owner = await makePerson();
    await makeLinks([1], owner.id);
    await moderate('disable', { kind: 'host', host: 'example.com' }, 'Malware.');
    await run();
    await makeLinks([2], owner.id);
    await moderate('disable', { kind: 'host', host: 'example.com' }, 'Still malware.');
    await run();
    const ofOne = 'We disabled a link of yours on Hop';
    expect(sent.map(({ subject }) => subject)).toEqual([ofOne, ofOne]);
    expect(sent[1]?.text).toContain('Still malware.');
  });

  it('tells of a suspension with its reason, and of its end', async () => {
    const person = await makePerson();
    await makeLinks([1], person.id);
    await moderate('disable', { kind: 'user', userId: person.id }, 'Spam.');
    await run();
    expect(sent).toMatchObject([{ to: person.email, subject: 'Your Hop account is suspended' }]);
    expect(sent[0]?.text).toContain('Reason: Spam.');
    // The suspension has told them that their links do not redirect.
    await moderate('disable', { kind: 'host', host: 'example.com' }, 'Malware.');
    await run();
    expect(sent).toHaveLength(1);
    await moderate('enable', { kind: 'user', userId: person.id }, 'A mistake.');
    await run();
    expect(sent[1]).toMatchObject({
      to: person.email,
      subject: 'Your Hop account is no longer suspended',
    });
    expect(sent).toHaveLength(2);
  });

  it('tells nothing of what was undone before it was told', async () => {
    const person = await makePerson();
    await makeLinks([1], person.id);
    await moderate('disable', { kind: 'host', host: 'example.com' }, 'A mistake.');
    await moderate('enable', { kind: 'host', host: 'example.com' }, 'Sorry.');
    await moderate('disable', { kind: 'user', userId: person.id }, 'A mistake.');
    await moderate('enable', { kind: 'user', userId: person.id }, 'Sorry.');
    await run();
    const restored = 'Your Hop account is no longer suspended';
    expect(sent.map(({ subject }) => subject)).toEqual([restored]);
    for (const action of ['disable', 'enable', 'disable'] as const)
      await moderate(action, { kind: 'user', userId: person.id }, 'Spam.');
    await run();
    expect(sent.filter(({ subject }) => subject === restored)).toHaveLength(1);
  });

  it.each<[changes: [ms: number, plan: PlanType][], subjects: string[]]>([
    [[[0, 'premium']], ['Your Hop plan is now Premium']],
    [[[0, 'free']], []],
    [
      [
        [0, 'premium'],
        [9_000, 'free'],
      ],
      [],
    ],
    [
      [
        [0, 'premium'],
        [30_000, 'free'],
      ],
      ['Your Hop plan is now Free'],
    ],
    [
      [
        [0, 'premium'],
        [60_000, 'free'],
        [120_000, 'premium'],
      ],
      ['Your Hop plan is now Premium'],
    ],
  ])('the plan changes %j are told as %j', async (changes, subjects) => {
    const person = await makePerson();
    const now = Date.now();
    for (const [ms, plan] of changes) await changePlan(db, admin.id, person.id, plan, now + ms);
    await run({}, now + 10 * MINUTE_MS);
    expect(sent.map(({ subject }) => subject)).toEqual(subjects);
    for (const { text } of sent) expect(text).toContain('https://hop.example/settings');
  });

  it('waits while a change can be undone, and tells of it once', async () => {
    const person = await makePerson();
    const now = Date.now();
    await changePlan(db, admin.id, person.id, 'premium', now);
    await run({}, now + 29_999);
    const noTime = { ...UNBOUNDED, canContinue: () => false };
    const stopped = await mailDecisions(DEPLOYED, now + 30_000, noTime);
    expect([stopped, sent]).toEqual([{ done: { mails_sent: 0 }, left: 1 }, []]);
    const readBefore: unknown[] = [];
    const noting: SendEmail = {
      send: async () => {
        readBefore.push(await env.DB.prepare('SELECT detail FROM job_runs').first('detail'));
        return { messageId: '1' };
      },
    };
    await run({ EMAIL: noting }, now + 30_000);
    const newest = await env.DB.prepare('SELECT max(id) AS id FROM admin_log').first('id');
    expect(readBefore).toEqual([String(newest)]);
  });

  it('decisions from before its first run, or while mail was off, are not told later', async () => {
    const person = await makePerson();
    await db.delete(job_runs);
    await changePlan(db, admin.id, person.id, 'premium', Date.now());
    expect(await run()).toEqual({ reason: 'first_run' });
    await changePlan(db, admin.id, (await makePerson()).id, 'premium', Date.now());
    expect(await run({ MAIL_FROM: '' })).toEqual({ reason: 'no_mailer' });
    expect(await run()).toEqual({ done: { mails_sent: 0 } });
    expect(sent).toEqual([]);
  });
});
