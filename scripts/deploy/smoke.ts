import { readArguments } from '#scripts/shared/arguments.ts';
import { randomBytes, randomUUID } from 'node:crypto';

type SmokeLink = { id: string; code: string; shortUrl: string };

/** The account that creates the smoke test's link. Null means that a visitor cannot do this. */
type SmokeAccount = {
  create: (target: string) => Promise<SmokeLink>;
  clicksOf: ((link: SmokeLink) => Promise<number>) | null;
  remove: ((link: SmokeLink) => Promise<void>) | null;
  /** Deletes the account if the smoke test created it. */
  close: (() => Promise<void>) | null;
};

type Send = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;

const PASSWORD = randomBytes(12).toString('base64url');

/**
 * Uses the owner of the key. Without a key it creates an account if there is a local mailbox, and
 * otherwise acts as a visitor.
 */
async function smokeAccount(origin: string, key: string | undefined): Promise<SmokeAccount> {
  if (key !== undefined) return keyAccount(sender(origin, key));
  const mailbox = await fetch(new URL('/dev/mailbox.json?to=nobody@example.com', origin), {
    headers: { 'User-Agent': SMOKE_AGENT },
    signal: AbortSignal.timeout(20_000),
  });
  await mailbox.arrayBuffer();
  return mailbox.status === 200 ? localAccount(origin) : visitor(sender(origin));
}

/** Sends JSON and returns the response. Throws its error message unless it succeeds. */
function sender(origin: string, token?: string): Send {
  return async (method, path, body) => {
    const response = await fetch(new URL(path, origin), {
      method,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': SMOKE_AGENT,
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    const answered = await response.text();
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${answered.slice(0, 200)}`);
    const answer: unknown = answered === '' ? {} : JSON.parse(answered);
    return typeof answer === 'object' && answer !== null ? { ...answer } : {};
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const toLink = ({ id, code, shortUrl }: Record<string, unknown>): SmokeLink => ({
  id: text(id),
  code: text(code),
  shortUrl: text(shortUrl),
});

const visitor = (send: Send): SmokeAccount => ({
  create: async (longUrl) => toLink(await send('POST', '/api/shorten', { longUrl })),
  clicksOf: null,
  remove: null,
  close: null,
});

const keyAccount = (send: Send): SmokeAccount => ({
  create: async (url) => toLink(await send('POST', '/api/v1/links', { url })),
  clicksOf: async ({ id }) => Number((await send('GET', `/api/v1/links/${id}`))['clicks']),
  remove: async ({ id }) => void (await send('DELETE', `/api/v1/links/${id}`)),
  close: null,
});

/** Signs up by the local mailbox. Returns what sends requests of the new account. */
export async function signUpLocally(origin: string): Promise<Send> {
  const email = `smoke-${randomUUID().slice(0, 12)}@example.com`;
  const anyone = sender(origin);
  // Only a confirmation with the secret of the sign-up keeps its password.
  const secret = { sign_up_secret: randomBytes(32).toString('base64url') };
  await anyone('POST', '/api/auth/v1/signup', { email, password: PASSWORD, data: secret });
  const parts = new URLSearchParams(new URL(await mailedLink(origin, email)).hash.slice(1));
  await anyone('POST', '/api/auth/v1/verify', {
    type: parts.get('type'),
    token_hash: parts.get('token_hash'),
    ...secret,
  });
  const session = await anyone('POST', '/api/auth/v1/token?grant_type=password', {
    email,
    password: PASSWORD,
  });
  return sender(origin, text(session['access_token']));
}

async function localAccount(origin: string): Promise<SmokeAccount> {
  const send = await signUpLocally(origin);
  return {
    create: visitor(send).create,
    clicksOf: async ({ code }) => Number((await send('GET', `/api/links/${code}`))['click_count']),
    remove: async ({ code }) => void (await send('DELETE', `/api/links/${code}`)),
    close: async () => {
      await send('DELETE', '/api/account', {
        confirm: 'delete my account',
        links: 'remove',
        currentPassword: PASSWORD,
        // A rollback leads to a release that reads this name.
        current_password: PASSWORD,
      });
    },
  };
}

async function mailedLink(origin: string, email: string): Promise<string> {
  const response = await fetch(
    new URL(`/dev/mailbox.json?to=${encodeURIComponent(email)}`, origin),
  );
  const mails: unknown = await response.json();
  const [mail]: { link?: unknown }[] = Array.isArray(mails) ? mails : [];
  if (typeof mail?.link !== 'string')
    throw new Error('The mail of the sign-up did not arrive in the local mailbox.');
  return mail.link;
}

const TARGET = 'https://example.com/';
const COUNTED_WITHIN_MS = 60_000;
const POLL_MS = 250;
/**
 * Names the test in the logs and rules of the zone. It is not recognized as a bot, so that its
 * click counts.
 */
export const SMOKE_AGENT = 'Hop-Smoke-Test/1 (npm run smoke)';
/** The headers that a browser sends when somebody opens a link, besides those of the test. */
const NAVIGATION = {
  Accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'Sec-Fetch-Dest': 'document',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Site': 'none',
};

class Failure extends Error {}

function expectThat(holds: boolean, message: string): void {
  if (!holds) throw new Failure(message);
}

/** Runs all checks and prints a line for each. Resolves to true if all passed. */
export async function smoke(origin: string, key?: string): Promise<boolean> {
  let passed = true;
  const step = async <T>(name: string, run: () => Promise<T>): Promise<T | null> => {
    const began = performance.now();
    try {
      const result = await run();
      console.log(`  ok    ${name}  ${Math.round(performance.now() - began)} ms`);
      return result;
    } catch (error) {
      passed = false;
      console.log(`  FAIL  ${name}: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  };
  const get = (address: string, headers: Record<string, string> = {}) =>
    fetch(new URL(address, origin), {
      headers: { ...headers, 'User-Agent': SMOKE_AGENT },
      redirect: 'manual',
      signal: AbortSignal.timeout(20_000),
    });

  await step('alive', async () => {
    const { status, headers } = await get('/api/health');
    expectThat(status === 200, `/api/health answered ${status}${blockedBy(status, headers)}`);
  });
  await step('ready', async () => {
    const response = await get('/api/ready');
    // A release that repairs the channels for alerts must be deployable while they fail.
    const { ok, alerts } = await readReady(response);
    expectThat(ok, `/api/ready answered ${response.status}; the admin dashboard says why`);
    if (!alerts) console.log('  note  alerts reach nobody; the admin dashboard says why.');
  });
  await step('page and headers', async () => checkPage(await get('/', NAVIGATION)));
  await step('unknown code', async () =>
    expectThat(
      (await get(`/${crypto.randomUUID().slice(0, 13)}`, NAVIGATION)).status === 404,
      'it is not answered with 404',
    ),
  );

  const account = await step('account', () => smokeAccount(origin, key));
  if (account === null) return false;
  const link = await step('new link', () => account.create(TARGET));
  if (link !== null) {
    await step('redirect', async () => checkRedirect(await get(link.shortUrl, NAVIGATION)));
    const { clicksOf, remove } = account;
    if (clicksOf !== null)
      await step('click counted once', () => untilCounted(() => clicksOf(link)));
    if (remove !== null)
      await step('link deleted', async () => {
        await remove(link);
        const { status } = await get(`${link.shortUrl}+`, NAVIGATION);
        expectThat(status === 410, `its preview answers ${status} instead of 410`);
      });
    else
      console.log(
        `  note  ${link.shortUrl} stays, and its click was not checked: use --key to check it and delete the link.`,
      );
  }
  if (account.close !== null) await step('account deleted', account.close);
  return passed;
}

/** Version 1.0.0 says nothing about alerts. */
async function readReady(response: Response): Promise<{ ok: boolean; alerts: boolean }> {
  const body: unknown = await response.json().catch(() => null);
  const says = (name: string): unknown =>
    Object.getOwnPropertyDescriptor(Object(body), name)?.value;
  return { ok: says('ok') === true, alerts: says('alerts') !== false };
}

/**
 * A challenge says so in a header
 * (https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/).
 */
const blockedBy = (status: number, headers: Headers): string =>
  headers.get('cf-mitigated') === 'challenge' || status === 403
    ? `. Bot protection or an access rule of the zone blocks the test: allow the user agent ${SMOKE_AGENT}, or deploy with --skip-smoke`
    : '';

async function checkPage(response: Response): Promise<void> {
  expectThat(response.status === 200, `/ answered ${response.status}`);
  expectThat(
    response.headers.get('Content-Type')?.startsWith('text/html') === true,
    '/ is no HTML',
  );
  expectThat((await response.text()).includes('</html>'), '/ is not complete');
  const required = ['Content-Security-Policy', 'X-Content-Type-Options', 'Referrer-Policy'];
  if (response.url.startsWith('https:')) required.push('Strict-Transport-Security');
  const missing = required.filter((name) => !response.headers.has(name));
  expectThat(missing.length === 0, `/ lacks the headers ${missing.join(', ')}`);
}

function checkRedirect({ status, headers }: Response): Promise<void> {
  expectThat(status === 302, `it answered ${status} instead of 302`);
  expectThat(headers.get('Location') === TARGET, `it leads to ${headers.get('Location')}`);
  expectThat(headers.get('Cache-Control') === 'private, no-store', 'it may be cached');
  return Promise.resolve();
}

async function untilCounted(read: () => Promise<number>): Promise<void> {
  const end = Date.now() + COUNTED_WITHIN_MS;
  let clicks = await read();
  while (clicks === 0 && Date.now() < end) {
    await new Promise((done) => setTimeout(done, POLL_MS));
    clicks = await read();
  }
  expectThat(
    clicks === 1,
    clicks === 0 ? `not within ${COUNTED_WITHIN_MS / 1000} seconds` : `counted ${clicks} times`,
  );
}

if (import.meta.main) {
  const { values, positionals } = readArguments({
    usage: 'npm run smoke -- https://host [--key hop_live_…]',
    about: `Checks a running product from outside: health, headers, a new link, its redirect, its click, and
the clean-up. Fails if something is wrong. A local product gets an account from its mailbox, which is
deleted afterwards; anywhere else, without a key, the link is made as a visitor and stays behind.`,
    options: {
      key: {
        type: 'string',
        value: 'KEY',
        meaning: 'makes the link; scopes links:create, links:read, links:write',
      },
    },
  });
  const [host = ''] = positionals;
  if (!/^https?:\/\/[^/]+\/?$/.test(host)) {
    console.error('Name the origin: npm run smoke -- https://host');
    process.exitCode = 1;
  } else {
    console.log(host);
    const passed = await smoke(host, values.key);
    console.log(passed ? 'All checks passed.' : 'Some checks failed.');
    process.exitCode = passed ? 0 : 1;
  }
}
