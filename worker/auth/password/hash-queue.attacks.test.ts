import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { call } from '#worker/testing/call.ts';
import { SCRYPT } from '#worker/testing/scrypt-params.ts';
import { EMBEDDED, signInEmbedded } from '#worker/testing/sign-in.ts';
import { SCRYPT as DEPLOYED } from './scrypt-params.ts';

let n = 0;
/** An unknown address costs as much as a known one; a network of its own each time, so that no other limit answers. */
const strangerAt = (path: string, password: string) => {
  n += 1;
  return call(
    `/api/auth/v1${path}`,
    { json: { email: `stranger-${n}@example.com`, password }, headers: { 'CF-Connecting-IP': `2001:db8:${n}::1` } },
    EMBEDDED,
  );
};
const signIn = () => strangerAt('/token?grant_type=password', 'not the password');

let code = '';
beforeAll(async () => {
  // A flood only shows with hashes that hold the thread for as long as deployed ones do.
  Object.assign(SCRYPT, DEPLOYED);
  // On a slow machine, requests could wait so long that the queue takes them for cancelled ones.
  vi.useFakeTimers({ toFake: ['Date'] });
  ({ code } = await (await call('/api/shorten', { json: { longUrl: 'https://example.com/' } })).json<{ code: string }>());
  // The first of each kind loads its code and makes the signing key.
  await signIn();
  await call(`/${code}`);
});

afterAll(() => void vi.useRealTimers());

/** What was answered, in order: 'h' a hashed sign-in, 'r' a redirect. Redirects are sent one after another meanwhile. */
async function redirectsDuring(flood: readonly Promise<Response>[]): Promise<string> {
  let log = '';
  const end = new AbortController();
  for (const answer of flood) void answer.then(({ status }) => (log += status === 429 ? '' : 'h'));
  const redirects = (async () => {
    while (!end.signal.aborted) {
      // A short click window, because `call` waits until the window has been sent.
      expect((await call(`/${code}`, {}, { CLICK_WINDOW_MS: '1' })).status).toBe(302);
      log += 'r';
      await scheduler.wait(1);
    }
  })();
  await Promise.all(flood);
  end.abort();
  await redirects;
  return log;
}

/** How many redirects were answered before the last password was hashed. A busy machine may miss one pause or another. */
const redirectsMeanwhile = (log: string): number => log.slice(0, log.lastIndexOf('h')).replaceAll('h', '').length;

test('[A7] redirects go on while passwords are hashed', async () => {
  const log = await redirectsDuring(Array.from({ length: 7 }, signIn));
  expect(log.match(/h/g)).toHaveLength(7);
  expect(redirectsMeanwhile(log)).toBeGreaterThanOrEqual(4);
});

test.each([
  ['sign-ins', signIn],
  ['sign-ups', () => strangerAt('/signup', 'a new password')],
])('[A7] %s beyond the queue get 429 and redirects go on', async (_, send) => {
  const answers = Array.from({ length: 30 }, send);
  expect(redirectsMeanwhile(await redirectsDuring(answers))).toBeGreaterThanOrEqual(4);
  const refused = (await Promise.all(answers)).filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(15);
  for (const answer of refused) {
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await answer.json()).toMatchObject({ error_code: 'over_request_rate_limit' });
  }
});

test('[A7] new passwords of a signed-in member wait in the same queue', async () => {
  // Each request hashes twice; no redirect is watched here, so short hashes will do.
  Object.assign(SCRYPT, { p: 1 });
  const { headers, password } = await signInEmbedded();
  const change = () =>
    call(
      '/api/auth/v1/user',
      { method: 'PUT', json: { password: crypto.randomUUID(), current_password: password }, headers },
      EMBEDDED,
    );
  const answers = await Promise.all(Array.from({ length: 30 }, change));
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(15);
});
