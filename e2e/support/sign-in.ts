import { randomBytes, randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { DEMO_SIGN_INS } from '#scripts/demo/sign-ins.ts';
import { mailTo, partsOf } from './mailbox.ts';
import { sessionVariable } from './sign-in-demo.ts';

export type DemoOwner = (typeof DEMO_SIGN_INS)[number]['owner'];
/** A signed-in account, with the headers that authenticate its API requests. */
export type SignedIn = {
  id: string;
  email: string;
  password: string;
  headers: { Authorization: string };
};
/**
 * The part of the sign-in service's response that is used here. The Supabase client stores all of
 * it.
 */
type Session = { access_token: string; expires_at: number; user: { id: string; email: string } };

/**
 * A shared session must be valid for at least this long, so that no page refreshes a session that
 * other tests use.
 */
const SESSION_LEFT_MS = 30 * 60_000;

/**
 * Signs `page`'s context in as a demo account by storing the session where the Supabase client
 * reads it.
 */
export async function signInAs(page: Page, owner: DemoOwner): Promise<SignedIn> {
  const account = DEMO_SIGN_INS.find((entry) => entry.owner === owner);
  const { email = '', password = '' } = account ?? {};
  // No test signs a demo account out.
  const shared: Session = JSON.parse(process.env[sessionVariable(owner)] ?? '{"expires_at":0}');
  const isFresh = shared.expires_at * 1000 - Date.now() > SESSION_LEFT_MS;
  const session = isFresh ? shared : await sessionByPassword(page, email, password);
  return keepSession(page, session, password);
}

/**
 * Creates an account, confirms it by mail, and signs `page`'s context in. A session by mail may
 * change the password without the current one for a while; one by password may not.
 */
export async function signInAsNew(page: Page, by: 'mail' | 'password' = 'mail'): Promise<SignedIn> {
  const { session, email, password } = await createAccount(page);
  return keepSession(
    page,
    by === 'mail' ? session : await sessionByPassword(page, email, password),
    password,
  );
}

/** Creates an account that has made a request, without signing `page`'s context in. */
export async function newMember(page: Page): Promise<{ email: string }> {
  const { session, email } = await createAccount(page);
  const headers = { Authorization: `Bearer ${session.access_token}` };
  await page.request.get('/api/me', { headers });
  return { email };
}

async function createAccount(
  page: Page,
): Promise<{ session: Session; email: string; password: string }> {
  const email = newEmail();
  const password = 'correct horse';
  // The sign-up form sends a secret. Only a confirmation with the same secret keeps the password.
  const secret = { sign_up_secret: randomBytes(32).toString('base64url') };
  const answer = await page.request.post('/api/auth/v1/signup', {
    data: { email, password, data: secret },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  const { link } = await mailTo(page.request, email);
  const used = await page.request.post('/api/auth/v1/verify', {
    data: { ...partsOf(link), ...secret },
  });
  expect(used.status(), await used.text()).toBe(200);
  return { session: await used.json(), email, password };
}

export const newEmail = (): string => `${randomUUID().slice(0, 12)}@example.com`;

async function sessionByPassword(page: Page, email: string, password: string): Promise<Session> {
  const answer = await page.request.post('/api/auth/v1/token?grant_type=password', {
    data: { email, password },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  return answer.json();
}

async function keepSession(page: Page, session: Session, password: string): Promise<SignedIn> {
  await page.context().addInitScript((text) => {
    // about:blank and sandboxed frames have no storage.
    if (!location.protocol.startsWith('http') || self.origin === 'null') return;
    // Runs once per tab, so that a test that signs out stays signed out.
    if (sessionStorage.getItem('e2e:signed-in') !== null) return;
    sessionStorage.setItem('e2e:signed-in', 'yes');
    localStorage.setItem('sb-localhost-auth-token', text);
  }, JSON.stringify(session));
  const { id, email } = session.user;
  return { id, email, password, headers: { Authorization: `Bearer ${session.access_token}` } };
}
