import { randomBytes, randomUUID } from 'node:crypto';

export type SmokeLink = { id: string; code: string; shortUrl: string };

/** The account that creates the smoke test's link. Null means that a visitor cannot do this. */
export type SmokeAccount = {
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
export async function smokeAccount(origin: string, key: string | undefined): Promise<SmokeAccount> {
  if (key !== undefined) return keyAccount(sender(origin, key));
  const mailbox = await fetch(new URL('/dev/mailbox.json?to=nobody@example.com', origin), {
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

async function localAccount(origin: string): Promise<SmokeAccount> {
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
  const send = sender(origin, text(session['access_token']));
  return {
    create: visitor(send).create,
    clicksOf: async ({ code }) =>
      Number((await send('GET', `/api/analytics/${code}`))['lifetimeClicks']),
    remove: async ({ code }) => void (await send('DELETE', `/api/links/${code}`)),
    close: async () => {
      await send('DELETE', '/api/account', {
        confirm: 'delete my account',
        links: 'remove',
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
