import { once } from 'node:events';
import type { Server } from 'node:http';
import { SSO_CALLBACK } from '#contract/sign-in/sso.ts';
import { freePort } from '#scripts/local/product.ts';
import { Provider } from 'oidc-provider';
import { logOut } from './support/account-menu.ts';
import { expectAccessible } from './support/axe.ts';
import { startSecondServer, type SecondServer } from './support/second-server.ts';
import { newEmail } from './support/sign-in.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

/** The provider's page asks for a login, which is the address here, and for any password. */
async function startProvider(origin: string): Promise<{ issuer: string; server: Server }> {
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'hop',
        client_secret: 'the secret of the browser tests',
        redirect_uris: [origin + SSO_CALLBACK],
        post_logout_redirect_uris: [`${origin}/`],
      },
    ],
    claims: { email: ['email', 'email_verified'] },
    cookies: { keys: ['a key of the browser tests'] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, email_verified: !id.startsWith('unverified-') }),
    }),
  });
  const server = provider.listen(port, 'localhost');
  await once(server, 'listening');
  return { issuer, server };
}

let provider: Server | undefined;
let hop: SecondServer | undefined;

// One worker process for the whole file, so that both servers start once.
test.describe.configure({ mode: 'default' });
// oxlint-disable-next-line no-empty-pattern -- Playwright requires the pattern.
test.use({ baseURL: async ({}, use) => use(hop?.origin) });
test.beforeAll(async () => {
  hop = await startSecondServer(async (origin) => {
    const { issuer, server } = await startProvider(origin);
    provider = server;
    return [
      `OIDC_ISSUER=${issuer}`,
      'OIDC_CLIENT_ID=hop',
      'OIDC_CLIENT_SECRET="the secret of the browser tests"',
      'OIDC_NAME=Acme',
      '',
    ].join('\n');
  });
});
test.afterAll(async () => {
  await hop?.stop();
  provider?.closeAllConnections();
  provider?.close();
});

test(
  'a member signs in at a real provider, stays signed in, and signs out there',
  IN_SOAK,
  async ({ page, watch }) => {
    // The provider's page loads a font.
    watch.allow(/fonts\.googleapis\.com/);
    const email = newEmail();
    await page.goto('/dashboard');
    await expect(page).toHaveURL(/\/auth\?next=%2Fdashboard/);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Continue with Acme' }).click();
    await page.getByPlaceholder('Enter any login').fill(email);
    await page.getByPlaceholder('and password').fill('any password');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page).toHaveURL('/dashboard');
    await expect(page.getByText('No URLs yet')).toBeVisible();

    await page.goto('/settings');
    await expect(page.getByText(`Connected as ${email}`)).toBeVisible();
    await expect(page.getByText('You have just signed in with Acme')).toBeVisible();
    await expectAccessible(page);

    await logOut(page);
    await expect(page).toHaveURL('/');
    await page.getByRole('button', { name: 'Sign out of Acme' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await expect(page).toHaveURL('/');

    // The provider asks again, so nobody who opens this browser next is signed in by it.
    await page.goto('/auth');
    await page.getByRole('button', { name: 'Continue with Acme' }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(page.getByText('The sign-in with Acme was canceled.')).toBeVisible();
  },
);

test(
  'a member whose address the provider has not verified enters a mailed code',
  IN_SOAK,
  async ({ page, watch }) => {
    watch.allow(/fonts\.googleapis\.com/);
    const email = `unverified-${newEmail()}`;
    await page.goto('/auth?next=%2Fsettings');
    await page.getByRole('button', { name: 'Continue with Acme' }).click();
    await page.getByPlaceholder('Enter any login').fill(email);
    await page.getByPlaceholder('and password').fill('any password');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('Acme has not verified your email address.')).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue(email);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Email me a code' }).click();
    await expect(page.getByText('It works for 10 minutes.')).toBeVisible();
    // A phone may reload the page after the mail program.
    await page.reload();
    const mails = await page.request.get(`/dev/mailbox.json?to=${encodeURIComponent(email)}`);
    const [mail]: { text: string }[] = await mails.json();
    await page
      .getByLabel('6-digit code')
      .fill(/Your code: (\d{6})/.exec(mail?.text ?? '')?.[1] ?? '');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page).toHaveURL('/settings');
    await expect(page.getByText(`Connected as ${email}`)).toBeVisible();
  },
);
