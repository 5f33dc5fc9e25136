import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import { beforeEach, beforeAll, describe, expect, it } from 'vitest';
import worker from '#worker/index.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { SCRYPT } from '#worker/testing/scrypt-params.ts';
import { EMBEDDED, signInEmbedded } from '#worker/testing/sign-in.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import { SCRYPT as DEPLOYED } from './scrypt-params.ts';

let n = 0;
/**
 * An unknown address costs as much as a known one. Every request has a different network, so that
 * no other limit applies.
 */
const strangerAt = (path: string, password: string) => {
  n += 1;
  return call(
    `/api/auth/v1${path}`,
    {
      json: { email: `stranger-${n}@example.com`, password },
      headers: { 'CF-Connecting-IP': `2001:db8:${n}::1` },
    },
    EMBEDDED,
  );
};
const signIn = () => strangerAt('/token?grant_type=password', 'not the password');

let code = '';
beforeAll(async () => {
  // Only hashes that block the thread show the effect of a flood. These block it a tenth as long as
  // deployed ones do.
  Object.assign(SCRYPT, DEPLOYED, { p: 1, ln: DEPLOYED.ln - 1 });
  ({ code } = await (
    await call('/api/shorten', { json: { longUrl: 'https://example.com/' } })
  ).json<{ code: string }>());
  // The first request of each kind loads its code.
  await signIn();
});
beforeEach(async () => {
  // On a busy machine a request could wait until the queue drops it as cancelled.
  stopClock();
  // The redirects of this test are answered from memory.
  await call(`/${code}`);
});

/**
 * Sends redirects while `flood` runs. Returns the answers in order: 'h' for a hash, 'r' for a
 * redirect.
 */
async function redirectsDuring(flood: readonly Promise<Response>[]): Promise<string> {
  let log = '';
  const end = new AbortController();
  for (const answer of flood) void answer.then(({ status }) => (log += status === 429 ? '' : 'h'));
  const ctx = createExecutionContext();
  const redirects = (async () => {
    while (!end.signal.aborted) {
      const request = new Request(`${ORIGIN}/${code}`, { redirect: 'manual' });
      expect((await worker.fetch(request, env, ctx)).status).toBe(302);
      log += 'r';
      await scheduler.wait(1);
    }
  })();
  await Promise.all(flood);
  end.abort();
  await redirects;
  await waitOnExecutionContext(ctx);
  return log;
}

/**
 * Counts the redirects answered before the last hash: at least one in every pause, however busy the
 * machine is.
 */
const redirectsMeanwhile = (log: string): number =>
  log.slice(0, log.lastIndexOf('h')).replaceAll('h', '').length;
describe('attacks on password hashing', () => {
  it('[A7] redirects are answered while passwords are hashed', async () => {
    const log = await redirectsDuring(Array.from({ length: 7 }, signIn));
    expect(log.match(/h/g)).toHaveLength(7);
    expect(redirectsMeanwhile(log)).toBeGreaterThanOrEqual(5);
  });

  it.each([
    ['sign-ins', signIn],
    ['sign-ups', () => strangerAt('/signup', 'a new password')],
  ])('[A7] %s beyond the queue get 429 while redirects are answered', async (_, send) => {
    const answers = Array.from({ length: 30 }, send);
    expect(redirectsMeanwhile(await redirectsDuring(answers))).toBeGreaterThanOrEqual(5);
    const refused = (await Promise.all(answers)).filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(15);
    for (const answer of refused) {
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(await answer.json()).toMatchObject({ error_code: 'over_request_rate_limit' });
    }
  });

  it('[A7] password changes wait for their hashes in the queue of sign-ins', async () => {
    // Each request hashes twice.
    const { headers, password } = await signInEmbedded();
    const change = () =>
      call(
        '/api/auth/v1/user',
        {
          method: 'PUT',
          json: { password: crypto.randomUUID(), current_password: password },
          headers,
        },
        EMBEDDED,
      );
    const answers = await Promise.all(Array.from({ length: 30 }, change));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(15);
  });
});
