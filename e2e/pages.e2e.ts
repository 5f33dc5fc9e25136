import { DEFAULT_PRICE } from '#contract/plans/prices.ts';
import { query } from './support/database.ts';
import { IN_SOAK } from './support/soak.ts';
import { expect, test } from './support/test.ts';

const POST = String(
  query('SELECT slug FROM posts WHERE published = 1 ORDER BY id LIMIT 1')[0]?.['slug'],
);

test.describe('the HTML that a crawler gets', () => {
  const meta = (html: string, name: string) =>
    new RegExp(`(?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1];

  for (const [path, title] of [
    ['/', 'Hop: short links that keep their word'],
    ['/pricing', 'Pricing · Hop'],
    ['/privacy', 'Privacy · Hop'],
  ] as const) {
    test(`${path} shows crawlers a title, description, canonical URL and Open Graph tags`, async ({
      request,
      baseURL,
    }) => {
      const response = await request.get(path);
      const html = await response.text();
      expect(/<title>([^<]*)<\/title>/.exec(html)?.[1]).toBe(title);
      expect(meta(html, 'description')?.length).toBeGreaterThan(50);
      expect(/rel="canonical" href="([^"]*)"/.exec(html)?.[1]).toBe(baseURL + path);
      expect(meta(html, 'og:url')).toBe(baseURL + path);
      const image = await request.get(meta(html, 'og:image') ?? '');
      expect([image.status(), image.headers()['content-type']]).toEqual([200, 'image/png']);
      const png = await image.body();
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
    });
  }

  test('a text browser shows words apart', async ({ request }) => {
    const textOf = async (path: string): Promise<string> =>
      (await (await request.get(path)).text())
        .replaceAll(/<(script|style|svg)\b.*?<\/\1>/gs, '')
        .replaceAll(/<\/?(?:p|div|li|ul|ol|h\d|nav|header|footer|main|section)\b[^>]*>/g, '\n')
        .replaceAll(/<!--.*?-->|<[^>]+>/gs, '')
        .replaceAll(/\s*\n\s*/g, '\n');
    for (const [path, lines] of [
      [
        '/',
        [
          'Hop\nBlog Pricing About',
          'India 42% 402',
          'See which sites and cities send your clicks\nPart of Premium',
        ],
      ],
      [
        '/pricing',
        ['₹500 per month', 'Basic analytics\nClicks, unique visitors', 'Bengaluru 214 clicks'],
      ],
      ['/docs/api', ['Links\nPOST Create a link\nGET List links']],
      [
        '/NoSuchCode',
        [
          'Hop\nBlog Pricing About',
          'Hop, an open link shortener\nBlog Pricing About Privacy Terms API',
        ],
      ],
    ] as const)
      for (const line of lines) expect(await textOf(path), path).toContain(`\n${line}`);
  });

  test('a post has its own metadata; an unknown post is 404 and noindex', async ({ request }) => {
    const [post] = query('SELECT title FROM posts WHERE slug = ?', POST);
    const html = await (await request.get(`/blog/${POST}`)).text();
    expect(meta(html, 'og:title')).toBe(post?.['title']);
    expect(meta(html, 'og:type')).toBe('article');
    const picture = await request.get(meta(html, 'og:image') ?? '', { maxRedirects: 0 });
    expect([picture.status(), picture.headers()['content-type']]).toEqual([200, 'image/png']);
    const png = await picture.body();
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
    const missing = await request.get('/blog/there-is-no-such-post');
    expect(missing.status()).toBe(404);
    expect(meta(await missing.text(), 'robots')).toBe('noindex');
  });

  test('serves icons, feed, sitemap, security.txt and the extension with their types', async ({
    request,
  }) => {
    for (const [path, type] of [
      ['/favicon.ico', /icon/],
      ['/favicon.svg', /svg/],
      ['/apple-touch-icon.png', /png/],
      ['/icon-192.png', /png/],
      ['/icon-512.png', /png/],
      ['/icon-maskable-512.png', /png/],
      ['/cli/hop-chromium.zip', /zip/],
      ['/cli/hop-firefox.zip', /zip/],
      ['/manifest.webmanifest', /manifest/],
      ['/robots.txt', /text\/plain/],
      ['/sitemap.xml', /xml/],
      ['/feed.xml', /rss/],
      ['/.well-known/security.txt', /text\/plain/],
    ] as const) {
      const response = await request.get(path);
      expect([path, response.status()]).toEqual([path, 200]);
      expect(response.headers()['content-type']).toMatch(type);
    }
  });

  test('feed and sitemap are well-formed and list every published post', async ({
    page,
    request,
    baseURL,
  }) => {
    await page.goto('/terms');
    const published = () =>
      query('SELECT slug FROM posts WHERE published = 1').map(
        ({ slug }) => `${baseURL}/blog/${String(slug)}`,
      );
    for (const [path, element] of [
      ['/feed.xml', 'item > link'],
      ['/sitemap.xml', 'url > loc'],
    ] as const) {
      const before = published();
      const xml = await (await request.get(path)).text();
      // Other tests publish and delete posts at the same time.
      const posts = published().filter((url) => before.includes(url));
      expect(posts.length).toBeGreaterThan(2);
      const found = await page.evaluate(
        ([text, selector]) => {
          const document = new DOMParser().parseFromString(text, 'application/xml');
          if (document.querySelector('parsererror') !== null)
            return [document.documentElement.textContent];
          return [...document.querySelectorAll(selector)].map((node) => node.textContent);
        },
        [xml, element] as const,
      );
      expect(found).toEqual(expect.arrayContaining(posts));
    }
  });

  test('hashed files are cached for a year; missing ones are uncached 404s', async ({
    request,
  }) => {
    const html = await (await request.get('/')).text();
    const script = /(\/assets\/[^"']+\.js)/.exec(html)?.[1] ?? '';
    const there = (await request.get(script)).headers();
    expect(there['cache-control']).toContain('immutable');
    expect(there['x-content-type-options']).toBe('nosniff');
    const missing = await request.get('/assets/gone-00000000.js');
    expect(missing.status()).toBe(404);
    expect(missing.headers()['cache-control'] ?? '').not.toContain('immutable');
    expect(missing.headers()['content-type'] ?? '').not.toContain('html');
  });
});

test('Pricing compares the plans and answers questions', IN_SOAK, async ({ page, baseURL }) => {
  await page.goto('/');
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Pricing' })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'Pricing' })).toBeFocused();
  await expect(page).toHaveTitle('Pricing · Hop');
  await expect(page.getByText(DEFAULT_PRICE.month, { exact: true })).toBeVisible();
  await expect(page.getByRole('row', { name: 'URLs per month 25 1,000 (40x)' })).toBeVisible();
  await expect(page.getByRole('row', { name: /Custom domains .*Coming soon/ })).toBeVisible();
  await expect(
    page.getByRole('row', { name: 'Requests a minute for each key 60 600' }),
  ).toBeVisible();
  await expect(page.getByLabel('Domain').getByRole('option')).toHaveText([
    new URL(baseURL ?? '').host,
  ]);
  const question = page.getByText('Can I downgrade?');
  await question.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText(/existing links remain/).first()).toBeVisible();
});

test('Privacy and Terms show the date of their last change', IN_SOAK, async ({ page }) => {
  await page.goto('/privacy');
  await expect(page.getByText('Last updated September 3, 2025')).toBeVisible();
  await page.goto('/terms');
  await expect(page.getByText('Last updated September 4, 2025')).toBeVisible();
});
