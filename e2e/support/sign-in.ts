import { expect, type Page } from '@playwright/test';
import { DEMO_SIGN_INS } from '#worker/dev/demo/sign-ins.ts';

export type DemoOwner = (typeof DEMO_SIGN_INS)[number]['owner'];

/** Signs `page`'s context in as one of the demo accounts, without the form: the session stands where the sign-in client keeps it. */
export async function signInAs(page: Page, owner: DemoOwner): Promise<{ headers: Record<string, string> }> {
  const account = DEMO_SIGN_INS.find((entry) => entry.owner === owner);
  const answer = await page.request.post('/api/auth/v1/token?grant_type=password', {
    data: { email: account?.email, password: account?.password },
  });
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
  return { headers: { Authorization: `Bearer ${session.access_token}` } };
}
