import { randomBytes, randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { DEMO_SIGN_INS } from '#scripts/demo/sign-ins.ts';
import { mailTo, partsOf } from './mailbox.ts';

export type DemoOwner = (typeof DEMO_SIGN_INS)[number]['owner'];
/** A signed-in account, with the headers that authenticate its API requests. */
export type SignedIn = { id: string; email: string; password: string; headers: { Authorization: string } };

/** Signs `page`'s context in as a demo account, without the form: writes the session to where the Supabase client keeps it. */
export function signInAs(page: Page, owner: DemoOwner): Promise<SignedIn> {
  const account = DEMO_SIGN_INS.find((entry) => entry.owner === owner);
  return signIn(page, account?.email ?? '', account?.password ?? '');
}

/** Creates an account, confirms it by its mail, and signs `page`'s context in. */
export async function signInAsNew(page: Page): Promise<SignedIn> {
  const email = newEmail();
  const password = 'correct horse';
  // The sign-up form sends such a secret. Only a confirmation with the same secret keeps the password.
  const secret = { sign_up_secret: randomBytes(32).toString('base64url') };
  const answer = await page.request.post('/api/auth/v1/signup', { data: { email, password, data: secret } });
  expect(answer.status(), await answer.text()).toBe(200);
  const { link } = await mailTo(page.request, email);
  const used = await page.request.post('/api/auth/v1/verify', { data: { ...partsOf(link), ...secret } });
  expect(used.status(), await used.text()).toBe(200);
  return signIn(page, email, password);
}

/** A random email address. */
export const newEmail = (): string => `${randomUUID().slice(0, 12)}@example.com`;

async function signIn(page: Page, email: string, password: string): Promise<SignedIn> {
  const answer = await page.request.post('/api/auth/v1/token?grant_type=password', { data: { email, password } });
  expect(answer.status(), await answer.text()).toBe(200);
  const session = await answer.json();
  await page.context().addInitScript((text) => {
    // about:blank and sandboxed frames have no storage.
    if (!location.protocol.startsWith('http') || self.origin === 'null') return;
    // Once per tab, so that a test that signs out stays signed out.
    if (sessionStorage.getItem('e2e:signed-in') !== null) return;
    sessionStorage.setItem('e2e:signed-in', 'yes');
    localStorage.setItem('sb-localhost-auth-token', text);
  }, JSON.stringify(session));
  return { id: session.user.id, email, password, headers: { Authorization: `Bearer ${session.access_token}` } };
}
