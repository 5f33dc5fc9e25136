import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { composeMail } from '#worker/mail/compose.ts';
import { MAILS } from '#worker/mail/texts.ts';
import { ORIGIN } from '#worker/testing/call.ts';
import { logLines } from '#worker/testing/log-lines.ts';
import { EMBEDDED, mailsTo } from '#worker/testing/sign-in.ts';
import { changeAndNotify } from './change-and-notify.ts';
import { sendNotice } from './send-notice.ts';

const CONTEXT = {
  env: { ...env, ...EMBEDDED },
  request: new Request(ORIGIN),
  now: 1_000,
  waitUntil: () => {},
};
const email = 'ada@example.com';
const mail = (to: string) => composeMail(to, MAILS.plan(null), ORIGIN);
const counts = async () => {
  const { results } = await env.DB.prepare('SELECT key, count FROM counters').all();
  return results.map(({ key, count }) => [String(key).split(':')[1], count]);
};
beforeEach(async () => {
  await env.DB.prepare('DELETE FROM counters').run();
  await env.DB.prepare('DELETE FROM dev_mails').run();
});

describe('sendNotice', () => {
  it('neither counts nor sends a notice for somebody without an address', async () => {
    await sendNotice(CONTEXT, 'plan', mail(''));
    expect([await counts(), await mailsTo('')]).toEqual([[], []]);
  });

  it('sends no more notices than the day allows, and logs the next', async () => {
    const lines = logLines();
    for (let i = 0; i < 11; i += 1) await sendNotice(CONTEXT, 'plan', mail(email));
    expect(await mailsTo(email)).toHaveLength(10);
    expect(lines()).toEqual([{ event: 'auth_notice_limit_reached' }]);
  });
});

describe('changeAndNotify', () => {
  const steps: string[] = [];
  const own = (change: () => Promise<string>, tells = true) => ({
    email,
    kind: 'plan' as const,
    change,
    mailOf: () => (tells ? mail(email) : null),
  });
  const changeTo = (result: string) => async () => {
    steps.push(`${(await counts()).length} counted, ${(await mailsTo(email)).length} sent`);
    return result;
  };

  it('counts the notice before the change, and sends it after', async () => {
    expect(await changeAndNotify(CONTEXT, own(changeTo('done')))).toEqual({
      ok: true,
      value: 'done',
    });
    expect(steps.splice(0)).toEqual(['1 counted, 0 sent']);
    expect([await counts(), (await mailsTo(email)).length]).toEqual([[['plan-notice', 1]], 1]);
  });

  it('a change that fails or changes nothing tells nobody and is not counted', async () => {
    const failing = () => Promise.reject(new Error('D1 is down'));
    await expect(changeAndNotify(CONTEXT, own(failing))).rejects.toThrow('D1 is down');
    await changeAndNotify(
      CONTEXT,
      own(async () => 'nothing', false),
    );
    expect([await counts(), await mailsTo(email)]).toEqual([[['plan-notice', 0]], []]);
  });

  it('changes nothing on a day on which it can tell nobody any more', async () => {
    for (let i = 0; i < 10; i += 1) await sendNotice(CONTEXT, 'plan', mail(email));
    expect(await changeAndNotify(CONTEXT, own(changeTo('done')))).toMatchObject({
      ok: false,
      reason: 'notices_limited',
    });
    expect(steps).toEqual([]);
  });

  it('counts nothing where nobody can be told', async () => {
    const silent = { ...CONTEXT, env: { ...CONTEXT.env, DEV_MAILBOX: 'off', MAIL_FROM: '' } };
    await changeAndNotify(
      silent,
      own(async () => 'done'),
    );
    await changeAndNotify(CONTEXT, { ...own(async () => 'done'), email: '' });
    expect(await counts()).toEqual([]);
  });
});
