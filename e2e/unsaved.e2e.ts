import type { Locator, Page } from '@playwright/test';
import { execute } from './support/database.ts';
import { makeLink, newAlias } from './support/links.ts';
import { signInAsNew, type SignedIn } from './support/sign-in.ts';
import { IN_SOAK, IS_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';
import { ADMIN_FORMS, MEMBER_FORMS, type TypedForm } from './support/typed-forms.ts';

const ENDED = 'Your session has ended. What you typed is still here.';
const OFFLINE = 'You’re offline. We’ll send this when your connection is back.';

/** One form of each kind: a dialog, a panel, a draft, one for visitors, one on Home, a section. */
const OF_EACH_KIND: ReadonlySet<string> = new Set([
  'edit link',
  'new link',
  'post',
  'report of a link',
  'Home',
  'password',
]);
const FORMS = MEMBER_FORMS.filter(({ name }) => IS_SOAK || OF_EACH_KIND.has(name));
/** The number of forms per test, chosen so that these tests take about as long as others. */
const PER_TEST = 8;
const CHUNKS = IS_SOAK ? [FORMS.slice(0, PER_TEST), FORMS.slice(PER_TEST)] : [FORMS];

const submitOf = (form: Locator, { submit }: TypedForm): Locator =>
  form.getByRole('button', { name: submit });

/** Opens the form on its page, which is loaded only if the page before was another or has a dialog. */
async function openForm(page: Page, form: TypedForm, person: SignedIn): Promise<Locator> {
  const path = typeof form.path === 'string' ? form.path : await form.path(page, person);
  const { pathname, search } = new URL(page.url());
  const isCovered = (await page.getByRole('dialog').count()) > 0;
  if (isCovered || pathname + search !== path) await page.goto(path);
  return form.open(page);
}

/** Ends the session on the server, as another device does. */
async function endSession(page: Page): Promise<void> {
  const token = await page.evaluate(
    () => JSON.parse(localStorage.getItem('sb-localhost-auth-token') ?? '{}').access_token,
  );
  const answer = await page.request.post('/api/auth/v1/logout?scope=local', {
    headers: { Authorization: `Bearer ${token}` },
    data: {},
  });
  expect(answer.status()).toBe(204);
}

async function signInAgain(page: Page, { email, password }: SignedIn): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await expect(dialog.getByLabel('Email')).toHaveValue(email);
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(dialog).toBeHidden();
}

async function checkClosing(page: Page, isOpen: Locator): Promise<void> {
  await page.mouse.click(3, 3);
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Discard changes?' });
  await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(isOpen).toBeVisible();
}

/**
 * Types once, and keeps it through everything that could lose it, in one visit: each visit takes a
 * second. The session ends while the network is away, so the request that is sent afterwards fails
 * first.
 */
async function checkForm(page: Page, form: TypedForm, person: SignedIn): Promise<void> {
  const open = await openForm(page, form, person);
  const text = newAlias();
  await form.fill(open, text, person);
  if (form.isDialog !== false) await checkClosing(page, submitOf(open, form));
  const sessionEnds = form.isForVisitors !== true;
  await page.context().setOffline(true);
  // Offline, because a poll of the page would notice the end before the form is sent.
  if (sessionEnds) await endSession(page);
  await submitOf(open, form).click();
  await expect(page.getByText(OFFLINE)).toBeVisible();
  await expect(submitOf(open, form)).toHaveAttribute('aria-busy', 'false');
  await page.context().setOffline(false);
  if (sessionEnds) {
    await expect(page.getByText(ENDED)).toBeVisible();
    await signInAgain(page, person);
  }
  await expect(form.saved(page, text)).toBeVisible();
  await expect(page.getByText(ENDED)).toBeHidden();
  form.onSaved?.(person, text);
  // Some answers are dialogs, which would cover the next form.
  await page.keyboard.press('Escape');
}

async function checkForms(page: Page, forms: readonly TypedForm[], person: SignedIn) {
  for (const form of forms)
    await test.step(`${form.name} keeps what was typed`, () => checkForm(page, form, person));
}

for (const [index, forms] of CHUNKS.entries())
  test(`what a member types is never lost, in form ${index * PER_TEST + 1} and after`, async ({
    page,
    watch,
  }) => {
    watch.allow(/ 4\d\d \(/, /ERR_INTERNET_DISCONNECTED/);
    const person = await signInAsNew(page, 'password');
    const { headers } = person;
    await makeLink(page.request, { headers, customCode: newAlias() });
    await page.request.post('/api/subscription', { headers, data: {} });
    await checkForms(page, forms, person);
  });

test('typed text is discarded only after a confirmation', IN_SOAK, async ({ page }) => {
  const person = await signInAsNew(page);
  await makeLink(page.request, { headers: person.headers });
  const form = MEMBER_FORMS.find(({ name }) => name === 'edit link');
  if (form === undefined) throw new Error('There is no form.');
  const open = await openForm(page, form, person);
  await form.fill(open, newAlias(), person);
  await checkClosing(page, submitOf(open, form));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(submitOf(open, form)).toHaveCount(0);
});

test('what an administrator types is never lost', IN_SOAK, async ({ page, watch }) => {
  watch.allow(/ 4\d\d \(/, /ERR_INTERNET_DISCONNECTED/);
  const person = await signInAsNew(page, 'password');
  // The first request creates the row that the role is in.
  await page.request.get('/api/me', { headers: person.headers });
  await execute('UPDATE users SET role = ? WHERE id = ?', 'admin', person.id);
  await checkForms(page, ADMIN_FORMS, person);
});

test('offline, every page says so, shows nothing old as new, and reloads when online', async ({
  page,
  context,
  watch,
}) => {
  watch.allow(/ERR_INTERNET_DISCONNECTED/, /Failed to fetch dynamically imported module/);
  const { headers } = await signInAsNew(page);
  const { code } = await makeLink(page.request, { headers });
  await page.request.get(`/${code}`, { maxRedirects: 0 });
  await page.goto(`/analytics/${code}`);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  // A link without clicks has no ranges.
  await expect(page.getByRole('radio', { name: '7 days' })).toBeVisible();

  await context.setOffline(true);
  await expect(page.getByText('Not up to date')).toBeVisible();
  await page.getByRole('radio', { name: '7 days' }).press('Space');
  const error = page.getByRole('main').getByRole('alert');
  await expect(error).toContainText('You’re offline. This loads when your connection is back.');
  await expect(error).toContainText('You see the report for');
  await expect(page.getByText('Live', { exact: true })).toBeHidden();
  await context.setOffline(false);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await expect(error).toBeHidden();

  // The code of this page has not loaded yet.
  await context.setOffline(true);
  await page.getByRole('link', { name: 'About' }).first().click();
  await expect(page.getByText('This page didn’t load')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: /About/ })).toBeVisible();
});

test(
  'a page whose early requests fail says so, and throws nothing',
  IN_SOAK,
  async ({ page, watch }) => {
    watch.allow(/ERR_FAILED/, /Failed to load resource/);
    await signInAsNew(page);
    await page.route('**/api/subscription*', (route) => route.abort());
    await page.goto('/dashboard');
    await expect(page.getByRole('alert').first()).toBeVisible();
  },
);
