import { newEmail } from './sign-in.ts';
import {
  arabicLink,
  browserLinks,
  failing,
  limited,
  shorten,
  signUpLink,
  type Screenshot,
} from './screenshot.ts';

const PLAIN = ['/pricing', '/about', '/privacy', '/terms', '/report', '/tools', '/docs/api'].map(
  (path): Screenshot => ({
    name: path.slice(1).replace('/', '-'),
    path,
    state: 'full',
  }),
);

export const PUBLIC_SCREENSHOTS: readonly Screenshot[] = [
  { name: 'home', path: '/', state: 'empty' },
  {
    name: 'home',
    path: '/',
    state: 'full',
    after: async (page) => {
      await shorten('https://www.example.org/a/long/way/to/what-you-mean?from=here&to=there')(page);
      await page.getByRole('img', { name: /QR code/ }).waitFor();
    },
  },
  {
    name: 'home',
    path: '/',
    state: 'error',
    after: async (page) => {
      await shorten('http://localhost/secret')(page);
      await page.locator('[aria-invalid="true"]').waitFor();
    },
  },
  {
    name: 'home-limit',
    path: '/',
    state: 'error',
    before: limited(
      "You have reached today's limit for links without an account. Sign in, or try again tomorrow.",
      'rate_limited',
      false,
    ),
    after: async (page) => {
      await shorten('https://example.org/one-too-many')(page);
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'home-browser-links', path: '/', state: 'full', before: browserLinks },
  {
    name: 'home-remove-browser-links',
    path: '/',
    state: 'full',
    before: browserLinks,
    after: (page) => page.getByRole('button', { name: 'Remove all' }).click(),
  },
  ...PLAIN,
  { name: 'auth-sign-in', path: '/auth', state: 'full' },
  { name: 'auth-sign-up', path: '/auth?tab=sign-up', state: 'full' },
  { name: 'auth-forgot', path: '/auth?tab=forgot', state: 'full' },
  {
    name: 'auth-sign-in',
    path: '/auth',
    state: 'error',
    after: async (page) => {
      await page.getByLabel('Email').fill('nobody@example.com');
      await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
      await page.keyboard.press('Enter');
      await page.getByText('Invalid login credentials').waitFor();
    },
  },
  {
    name: 'auth-mail-sent',
    path: '/auth?tab=sign-up',
    state: 'full',
    after: async (page) => {
      await page.getByLabel('Email').fill(newEmail());
      await page.getByRole('textbox', { name: 'Password' }).fill('correct horse');
      await page.keyboard.press('Enter');
      await page.getByText('Check your email for the confirmation link!').waitFor();
    },
  },
  { name: 'auth-confirm', path: '', state: 'full', before: signUpLink },
  { name: 'auth-confirm', path: '/auth/confirm', state: 'empty' },
  {
    name: 'auth-confirm',
    path: `/auth/confirm#type=recovery&token_hash=${'x'.repeat(43)}`,
    state: 'error',
  },
  {
    name: 'auth-confirm-unanswered',
    path: `/auth/confirm#type=recovery&token_hash=${'x'.repeat(43)}`,
    state: 'error',
    before: failing('/api/auth/v1/verify/describe'),
  },
  { name: 'auth-reset', path: '/auth/reset', state: 'error' },
  { name: 'blogs', path: '/blogs', state: 'full' },
  {
    name: 'blogs',
    path: '/blogs',
    state: 'empty',
    before: (page) => page.route('**/api/blogs*', (route) => route.fulfill({ json: [] })),
  },
  {
    name: 'blogs',
    // The page /blogs has the posts in its HTML, so another page is opened first.
    path: '/about',
    state: 'error',
    before: failing('/api/blogs*'),
    after: async (page) => {
      await page.getByRole('link', { name: 'Blog', exact: true }).last().click();
      await page.getByText('The posts could not be loaded.').waitFor();
    },
  },
  { name: 'blog-post', path: '/blog/what-a-click-records', state: 'full' },
  { name: 'blog-post', path: '/blog/no-such-post', state: 'error' },
  { name: 'preview', path: '/hono+', state: 'full' },
  {
    name: 'preview-arabic',
    path: '',
    state: 'full',
    before: async (page, headers) => `/${await arabicLink(page, headers)}+`,
  },
  { name: 'unknown-link', path: '/NoSuchCode', state: 'error' },
  { name: 'unknown-page', path: '/blog/a/b', state: 'error' },
  { name: 'mailbox', path: '/dev/mailbox', state: 'full' },
];
