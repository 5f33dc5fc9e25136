import type { Page } from '@playwright/test';
import { parsePost, plainText } from '#contract/blog/post-blocks.ts';
import { query } from './support/database.ts';
import { delayResponses } from './support/delay-responses.ts';
import { signInAs } from './support/sign-in.ts';
import { IN_SOAK, IS_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';
import { untilStarted } from './support/until-started.ts';

// The build writes dates in this language's form.
test.use({ locale: 'en-US', contextOptions: { reducedMotion: 'no-preference' } });

const post = query(
  'SELECT slug, title, content FROM posts WHERE published = 1 ORDER BY id LIMIT 1',
)[0];
const POST = `/blog/${String(post?.['slug'])}`;
const LAYOUT_SHIFT_MAX = 0.02;

/** Pages that the browser hydrates, and a sentence of each. */
const HYDRATED = [
  ['/', 'Short links that keep their word.'],
  ['/pricing', 'Frequently asked questions'],
  ['/about', 'How a redirect works'],
  ['/privacy', 'Last updated September 3, 2025'],
  ['/terms', 'Last updated September 4, 2025'],
] as const;
/** Pages with posts, which the application renders again in one step. */
const REPLACED = [
  ['/blogs', String(post?.['title'])],
  [POST, String(post?.['content']).split('\n')[0]?.slice(0, 40) ?? ''],
] as const;

const publishedPosts = () =>
  JSON.stringify(query('SELECT id, title, content FROM posts WHERE published = 1 ORDER BY id'));

/** Holds back the application until the returned function is called. */
const holdApplication = (page: Page) => delayResponses(page, /\/assets\/index-[^/]*\.js$/);

/** Sums the layout shifts since the first paint. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        sum += 'value' in entry && typeof entry.value === 'number' ? entry.value : 0;
      document.documentElement.dataset['shift'] = String(sum);
    }).observe({ type: 'layout-shift', buffered: true });
  });

for (const width of IS_SOAK ? [360, 1280] : [360]) {
  test(`public pages show their text at once and do not move at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await watchShifts(page);
    for (const [path, sentence] of [...(IS_SOAK ? HYDRATED : HYDRATED.slice(0, 2)), ...REPLACED]) {
      const posts = publishedPosts();
      const release = await holdApplication(page);
      await page.goto(path, { waitUntil: 'commit' });
      const main = page.locator('main');
      await expect(main, path).toContainText(sentence);
      // The browser has parsed everything before the footer.
      await expect(page.locator('footer'), path).toBeAttached();
      const before = await main.textContent();
      await main.evaluate((element) => element.setAttribute('data-mark', ''));
      release();
      await untilStarted(page);
      await page.waitForLoadState('networkidle');
      await page.unrouteAll();
      // Other tests publish and delete posts at the same time.
      if (path === '/blogs' && publishedPosts() !== posts) continue;
      const after = (await main.textContent()) ?? '';
      // The application appends the links to the previous and the next post.
      expect(path === POST ? after.slice(0, before?.length) : after, path).toBe(before);
      await expect(page.locator('main[data-mark]')).toHaveCount(
        HYDRATED.some(([other]) => other === path) ? 1 : 0,
      );
      expect(
        Number((await page.locator('html').getAttribute('data-shift')) ?? 0),
        path,
      ).toBeLessThanOrEqual(LAYOUT_SHIFT_MAX);
    }
  });
}

test('a link typed before the application has started stays in the form', async ({ page }) => {
  const release = await holdApplication(page);
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByLabel('Destination').fill('https://example.com/typed-early');
  release();
  await page.getByRole('button', { name: 'Shorten URL' }).click();
  await expect(page.getByRole('region', { name: 'Your short URL' })).toBeVisible();
  // A reload shows the result again, which no prerendered page has.
  await page.reload();
  await expect(page.getByRole('region', { name: 'Your short URL' })).toBeVisible();
});

test(
  'focus and text from before the application has started are kept',
  IN_SOAK,
  async ({ page }) => {
    const release = await holdApplication(page);
    await page.goto(POST, { waitUntil: 'commit' });
    const link = page.getByRole('link', { name: 'Terms' }).last();
    await link.focus();
    release();
    await untilStarted(page);
    await expect(link).toBeFocused();

    await page.unrouteAll();
    await signInAs(page, 'user');
    const releaseDashboard = await holdApplication(page);
    await page.goto('/dashboard', { waitUntil: 'commit' });
    const search = page.getByRole('searchbox', { name: 'Search your links' });
    await search.fill('typed-early');
    releaseDashboard();
    await expect(page).toHaveURL(/[?&]q=typed-early/);
    await expect(search).toBeFocused();
    await expect(search).toHaveValue('typed-early');
  },
);

test('a member sees page skeletons at once, which become the page without a jump', async ({
  page,
}) => {
  const { headers } = await signInAs(page, 'user');
  const { urls } = await (await page.request.get('/api/my-urls', { headers })).json();
  const code = String(urls.find((url: { click_count: number }) => url.click_count > 0).short_code);
  await watchShifts(page);
  for (const [path, early] of [
    ['/dashboard', 'More than 0 clicks'],
    [`/analytics/${code}`, code],
  ] as const) {
    const release = await holdApplication(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(path, { waitUntil: 'commit' });
    await expect(page.locator('main')).toContainText(early);
    await expect(page.locator('main [aria-busy]').first()).toBeVisible();
    // The page asks for its data before the application has started.
    const data = path === '/dashboard' ? '/api/my-urls' : `/api/analytics/${code}`;
    await expect.poll(() => asked).toContain(data);
    release();
    await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
    await expect(page.locator('main')).toContainText(
      path === '/dashboard' ? / clicks/ : /Total Clicks/,
    );
    expect(
      Number((await page.locator('html').getAttribute('data-shift')) ?? 0),
      path,
    ).toBeLessThanOrEqual(LAYOUT_SHIFT_MAX);
    // The application does not ask again, and no response stays open.
    await page.waitForLoadState('networkidle');
    if (path === '/dashboard') expect(asked.filter((other) => other === data)).toHaveLength(1);
    await page.unrouteAll();
  }
});

test('a visitor never sees the skeleton of a member’s page', async ({ page }) => {
  const release = await holdApplication(page);
  await page.goto('/dashboard', { waitUntil: 'commit' });
  await expect(page.locator('#root').getByText('My URLs').first()).toBeAttached();
  await expect(page.locator('#root')).toBeHidden();
  release();
  await expect(page).toHaveURL(/\/auth\?next=/);
});

test('a member never sees the visitor’s page', async ({ page }) => {
  await signInAs(page, 'user');
  const release = await holdApplication(page);
  await page.goto('/', { waitUntil: 'commit' });
  const link = page.locator('#root').getByText('Sign In').first();
  await expect(link).toBeAttached();
  await expect(link).toBeHidden();
  release();
  await expect(page.getByLabel('Alias (optional)')).toBeVisible();
});

test('the HTML of a post has its text, and nothing of the template', async ({ request }) => {
  const html = await (await request.get(POST)).text();
  const text = html
    .replaceAll(/<\/?(?:article|blockquote|br|h\d|li|ol|p|pre|ul)\b[^>]*>/g, '\n')
    .replaceAll(/<script[^>]*>.*?<\/script>|<[^>]+>/gs, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  const lines = (of: string): string => of.replaceAll(/\n+/g, '\n');
  expect(lines(text)).toContain(lines(plainText(parsePost(String(post?.['content'])))));
  expect(html).not.toMatch(/hop-post-|\.invalid|__NONCE__/);
});
