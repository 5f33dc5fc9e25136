import { randomBytes, randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { DEMO_SIGN_INS } from '#scripts/demo/sign-ins.ts';
import { mailTo, partsOf } from './mailbox.ts';

export type DemoOwner = (typeof DEMO_SIGN_INS)[number]['owner'];
/** Somebody signed in: their id, address and password, and the headers that act for them. */
export type SignedIn = { id: string; email: string; password: string; headers: { Authorization: string } };

/** Signs `page`'s context in as one of the demo accounts, without the form: the session stands where the sign-in client keeps it. */
export function signInAs(page: Page, owner: DemoOwner): Promise<SignedIn> {
  const account = DEMO_SIGN_INS.find((entry) => entry.owner === owner);
  return signIn(page, account?.email ?? '', account?.password ?? '');
}

/** An account of the test's own, confirmed by its mail, and `page`'s context signed in with it. */
export async function signInAsNew(page: Page): Promise<SignedIn> {
  const email = newEmail();
  const password = 'correct horse';
  // As the sign-up form does it: the browser that has the secret keeps its password when it confirms.
  const secret = { sign_up_secret: randomBytes(32).toString('base64url') };
  const answer = await page.request.post('/api/auth/v1/signup', { data: { email, password, data: secret } });
  expect(answer.status(), await answer.text()).toBe(200);
  const { link } = await mailTo(page.request, email);
  const used = await page.request.post('/api/auth/v1/verify', { data: { ...partsOf(link), ...secret } });
  expect(used.status(), await used.text()).toBe(200);
  return signIn(page, email, password);
}

/** An address that nobody had before. */
export const newEmail = (): string => `${randomUUID().slice(0, 12)}@example.com`;

async function signIn(page: Page, email: string, password: string): Promise<SignedIn> {
  const answer = await page.request.post('/api/auth/v1/token?grant_type=password', { data: { email, password } });
  expect(answer.status(), await answer.text()).toBe(200);
  const session = await answer.json();
  await page.context().addInitScript((text) => {
    // An empty page of a tool's own has no storage.
    if (!location.protocol.startsWith('http')) return;
    // Once a tab: a test that signs out must stay signed out.
    if (sessionStorage.getItem('e2e:signed-in') !== null) return;
    sessionStorage.setItem('e2e:signed-in', 'yes');
    localStorage.setItem('sb-localhost-auth-token', text);
  }, JSON.stringify(session));
  return { id: session.user.id, email, password, headers: { Authorization: `Bearer ${session.access_token}` } };
}
