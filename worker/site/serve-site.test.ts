import { env } from 'cloudflare:test';
import { like } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { PAGES } from '#contract/pages/paths.ts';
import { openDb } from '#worker/db/client.ts';
import { posts } from '#worker/db/schema-blog.ts';
import { builtAssets } from '#worker/testing/assets.ts';
import { call } from '#worker/testing/call.ts';
import { d1Down } from '#worker/testing/faults.ts';
import { logLines } from '#worker/testing/log-lines.ts';

const NASTY =
  '</title><script>alert(1)</script> & "quotes" \u0001 $& __NONCE__ hop-post-title <!--hop:head-->';
const at = Date.UTC(2026, 0, 2, 3, 4, 5);
/** The pages that help a visitor from a search engine. */
const PUBLIC_PAGES: ReadonlySet<string> = new Set([
  '/',
  '/pricing',
  '/about',
  '/privacy',
  '/terms',
  '/blogs',
  '/blog/hello',
  '/tools',
  '/docs/api',
]);

beforeAll(async () => {
  const row = { created_at: at, updated_at: at + 1000, published_at: at };
  await openDb(env.DB)
    .insert(posts)
    .values([
      {
        ...row,
        slug: 'hello',
        title: 'Hello, world',
        content: `First line.\nSecond line.\n\n${'word '.repeat(100)}`,
        published: true,
      },
      { ...row, slug: 'nasty', title: NASTY, content: NASTY, published: true },
      {
        ...row,
        slug: 'linked',
        title: 'Linked',
        content: 'One\n\nhttps://a.example/?b&c\nTwo',
        published: true,
      },
      {
        ...row,
        slug: 'not-cached',
        title: 'Not cached',
        content: 'This one is not in the edge cache.',
        published: true,
      },
      {
        ...row,
        slug: 'older',
        title: 'Older',
        content: 'Before.',
        published: true,
        created_at: at - DAY_MS,
        updated_at: at - 1,
      },
      { ...row, slug: 'draft', title: 'Not yet', content: 'Secret', published: false },
    ]);
});

const page = (path: string, init: RequestInit = {}, overrides: Partial<Env> = {}) =>
  call(
    path,
    { headers: { 'Sec-Fetch-Mode': 'navigate' }, ...init },
    { ...builtAssets, ...overrides },
  );

const found = (html: string, pattern: RegExp): string | undefined => pattern.exec(html)?.[1];
const title = (html: string) => found(html, /<title>([^<]*)<\/title>/);
const og = (html: string, name: string) =>
  found(html, new RegExp(`<meta property="og:${name}" content="([^"]*)">`));
const canonical = (html: string) => found(html, /<link rel="canonical" href="([^"]*)">/);

describe('the head of a page', () => {
  it('the head has title, description, canonical address and Open Graph tags', async () => {
    const home = await (await page('/')).text();
    expect(title(home)).toBe('Hop: short links that keep their word');
    expect(canonical(home)).toBe('http://localhost:8787/');
    expect(og(home, 'image')).toBe('http://localhost:8787/social.png');
    const pricing = await (await page('/pricing?utm=x')).text();
    expect(title(pricing)).toBe('Pricing · Hop');
    expect(og(pricing, 'title')).toBe('Pricing');
    expect(og(pricing, 'description')).toContain('1,000 with Premium');
    expect(canonical(pricing)).toBe('http://localhost:8787/pricing');
  });

  it('the head has the title and the text of a post', async () => {
    const html = await (await page('/blog/hello')).text();
    expect(title(html)).toBe('Hello, world · Hop');
    expect(og(html, 'type')).toBe('article');
    expect(og(html, 'description')).toMatch(/^First line\. Second line\. word .*…$/);
    expect(og(html, 'url')).toBe('http://localhost:8787/blog/hello');
    expect(html).toContain(
      '<meta property="article:published_time" content="2026-01-02T03:04:05.000Z">',
    );
    expect(html).toContain(
      '<meta property="article:modified_time" content="2026-01-02T03:04:06.000Z">',
    );
  });

  it('[T18] escapes a title that contains markup', async () => {
    const html = await (await page('/blog/nasty')).text();
    expect(html).not.toContain('<script>alert');
    expect(title(html)).toContain(
      '&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;',
    );
    expect(title(html)).toContain('__NONCE__');
    expect(html.match(/<!--hop:head-->/)).toBeNull();
  });

  it.each(['/blog/draft', '/blog/none', '/blog/%3Cscript%3E', "/blog/'--"])(
    'the head is 404 and noindex for %s',
    async (path) => {
      const response = await page(path);
      expect(response.status).toBe(404);
      const html = await response.text();
      expect(html).toContain('<div id="root">');
      expect(html).toContain('<meta name="robots" content="noindex">');
      expect(html).not.toContain('Secret');
      expect(html).not.toContain('<script>');
    },
  );

  it('a post returns 503 while the database is unavailable', async () => {
    const response = await page(
      '/blog/not-cached',
      {},
      {
        DB: new Proxy(env.DB, {
          get: () => () => {
            throw new Error('D1_ERROR: down');
          },
        }),
      },
    );
    expect(response.status).toBe(503);
    expect(response.headers.get('Retry-After')).toBe('5');
    expect(await response.text()).toContain('<div id="root">');
  });

  it('the log of a file that fails has its path without the query', async () => {
    const lines = logLines();
    const fetch = () => Promise.reject(new Error('down'));
    const ASSETS = { ...builtAssets.ASSETS, fetch };
    expect((await page('/favicon.svg?token=secret', {}, { ASSETS })).status).toBe(503);
    expect(lines()).toContainEqual(
      expect.objectContaining({ event: 'site_failed', path: '/favicon.svg', error: 'Error: down' }),
    );
  });

  it.each(PAGES.map((pattern) => pattern.replace(':code', 'abc').replace(':slug', 'hello')))(
    'the head has a title for %s, and noindex only if the page is private',
    async (path) => {
      const response = await page(path);
      expect(response.status).toBe(200);
      const html = await response.text();
      expect(title(html)).toMatch(/Hop/);
      const isPublic = PUBLIC_PAGES.has(path);
      expect(html.includes('name="robots" content="noindex"')).toBe(!isPublic);
      expect(html.includes('rel="canonical"')).toBe(isPublic);
    },
  );
});

describe('the text of a page', () => {
  const root = (html: string) => /<div id="root">(.*?)<\/div>/s.exec(html)?.[1] ?? '';

  it('a page has the text of a post, with line breaks and links', async () => {
    const html = root(await (await page('/blog/linked')).text());
    expect(html).toContain(
      '<a href="/blog/linked">Linked</a><time datetime="2026-01-02T03:04:05.000Z">Jan 2, 2026</time> 1 min',
    );
    expect(html).toContain(
      '<p>One</p><p><a target="_blank" rel="noopener noreferrer nofollow" href="https://a.example/?b&amp;c">',
    );
    expect(html).toContain('</a><br>Two</p>');
  });

  it('[T18] markup and markers in a stored post stay text', async () => {
    for (const path of ['/blog/nasty', '/blogs']) {
      const html = await (await page(path)).text();
      expect(root(html)).toContain(
        '&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;',
      );
      expect(root(html)).toContain('$&amp; __NONCE__ hop-post-title &lt;!--hop:head--&gt;');
      expect(html).not.toContain('<script>alert');
    }
  });

  it('lists the published posts, newest first, with the beginning of their text', async () => {
    const html = root(await (await page('/blogs')).text());
    expect(html.indexOf('Hello, world')).toBeLessThan(html.indexOf('Older'));
    expect(html.indexOf('Hello, world')).toBeGreaterThan(0);
    expect(html).toMatch(/<p>First line\. Second line\. word .*…<\/p>/);
    expect(html).not.toMatch(/Not yet|Secret|hop-post-slug|hop:item/);
  });

  it('a post has the day of its publication, and list and feed at most 50 posts', async () => {
    const db = openDb(env.DB);
    for (let i = 0; i < 51; i++)
      await db.insert(posts).values({
        slug: `many-${i}`,
        title: `Many ${i}`,
        content: 'Text.',
        published: true,
        created_at: i,
        updated_at: i,
        published_at: Date.UTC(2026, 1, 3),
      });
    const APP_ORIGIN = 'https://many.example';
    const htmlOf = async (path: string) =>
      root(await (await page(`${APP_ORIGIN}${path}`, {}, { APP_ORIGIN })).text());
    expect(await htmlOf('/blog/many-3')).toContain(
      '<time datetime="2026-02-03T00:00:00.000Z">Feb 3, 2026</time>',
    );
    expect((await htmlOf('/blogs')).match(/<time /g)).toHaveLength(50);
    const feed = await (await page(`${APP_ORIGIN}/feed.xml`, {}, { APP_ORIGIN })).text();
    expect(feed.match(/<item>/g)).toHaveLength(50);
    await db.delete(posts).where(like(posts.slug, 'many-%'));
  });

  it('a page has the settings of this deployment', async () => {
    const settings = {
      SUPPORT_EMAIL: 'help@hop.example',
      APP_ORIGIN: 'https://app.hop.example',
      SHORT_ORIGIN: 'https://hop.example',
    };
    const html = root(await (await page('https://app.hop.example/pricing', {}, settings)).text());
    expect(html).toContain('<a href="mailto:help@hop.example">Write to us</a> hop.example/');
  });

  it('the analytics skeleton names its link, except for other ranges and invalid codes', async () => {
    expect(root(await (await page('/analytics/aB_3-x')).text())).toContain('/aB_3-x<ul>');
    for (const path of ['/analytics/aB_3-x?range=7d', '/analytics/%3Cb%3E', '/analytics/$&'])
      expect(root(await (await page(path)).text()), path).toBe('');
  });

  it('the build is asked for a page, or for its shell where the page has no content', async () => {
    const asked: string[] = [];
    const ASSETS: Env['ASSETS'] = {
      ...builtAssets.ASSETS,
      fetch: (input: RequestInfo | URL) => {
        asked.push(new URL(input instanceof Request ? input.url : input).pathname);
        return builtAssets.ASSETS.fetch(input);
      },
    };
    const paths = ['/', '/docs/api', '/blog/hello', '/dashboard', '/settings/api', '/blog/none'];
    for (const path of paths) await page(path, {}, { ASSETS });
    expect(asked).toEqual([
      '/pages/home',
      '/pages/docs-api',
      '/pages/blog-slug',
      '/pages/dashboard',
      '/shells/settings-api',
      '/shells/blog-slug',
    ]);
  });

  it('a page has the parts that apply to the settings of the deployment', async () => {
    const embedded = {
      SUPABASE_URL: '',
      SUPABASE_PUBLISHABLE_KEY: '',
      ABUSE_EMAIL: '',
      SUPPORT_EMAIL: '',
      BILLING: 'none',
    };
    const textOf = async (settings: Partial<Env>): Promise<string> =>
      found(await (await page('/about', {}, settings)).text(), /<p>(.*?)<\/p>/)?.replaceAll(
        /<!--.*?-->/g,
        '',
      ) ?? '';
    expect(await textOf(embedded)).toBe('Our sign-in. No payment. Our ad.');
    expect(await textOf({ ...embedded, SUPPORT_EMAIL: 'help@hop.example' })).toBe(
      'Our sign-in. No payment: ask help@hop.example. Our ad.',
    );
    expect(
      await textOf({
        SUPPORT_EMAIL: 'help@hop.example',
        BILLING: 'demo',
        ADS_CLIENT: 'ca-pub-1',
        ADS_SLOT_HOME: '11',
      }),
    ).toBe('Another sign-in. A demo. An ad.');
  });
});

describe('a page', () => {
  it('[T35] a page has a new nonce in every response and never becomes a 304', async () => {
    const seen = new Set<string>();
    for (let i = 0; i < 3; i++) {
      const response = await page('/', { headers: { 'If-None-Match': '"page"' } });
      expect(response.status).toBe(200);
      expect(response.headers.get('ETag')).toBeNull();
      const nonce =
        found(
          response.headers.get('Content-Security-Policy') ?? '',
          /script-src [^;]*'nonce-([^']+)'/,
        ) ?? '';
      expect(nonce.length).toBeGreaterThanOrEqual(22);
      expect(await response.text()).toContain(`<script nonce="${nonce}">`);
      seen.add(nonce);
    }
    expect(seen.size).toBe(3);
  });

  it('caches do not keep a page without a check, nor a shared report at all', async () => {
    expect((await page('/')).headers.get('Cache-Control')).toBe('private, no-cache');
    expect(Object.fromEntries((await page('/share')).headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
  });

  it('a page whose posts cannot be read is a 503 that is not indexed', async () => {
    const APP_ORIGIN = 'https://down.example';
    const response = await call(
      `${APP_ORIGIN}/blog/not-cached`,
      {},
      { ...builtAssets, APP_ORIGIN, DB: d1Down(env.DB) },
    );
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(await response.text()).toContain('<meta name="robots" content="noindex">');
    for (const path of ['/sitemap.xml', '/feed.xml']) {
      const file = await call(`${APP_ORIGIN}${path}`, {}, { APP_ORIGIN, DB: d1Down(env.DB) });
      expect([file.status, file.headers.get('Retry-After')]).toEqual([503, '5']);
    }
  });

  it('[T27] a page returns 429 for a network that has read too much from the database', async () => {
    const limited = {
      LIMIT_READS: { limit: () => Promise.resolve({ success: false }) },
      APP_ORIGIN: 'https://limited.example',
    };
    const headers = { 'CF-Connecting-IP': '198.51.100.9' };
    for (const path of ['/blog/not-cached', '/sitemap.xml', '/feed.xml']) {
      const response = await call(
        `https://limited.example${path}`,
        { headers },
        { ...builtAssets, ...limited },
      );
      expect([path, response.status, response.headers.get('Retry-After')]).toEqual([
        path,
        429,
        '60',
      ]);
    }
    expect(
      (await call('https://limited.example/pricing', { headers }, { ...builtAssets, ...limited }))
        .status,
    ).toBe(200);
  });

  it('answers HEAD without a body, and POST with 405', async () => {
    const head = await page('/pricing', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const post = await page('/pricing', { method: 'POST', body: 'x' });
    expect([post.status, post.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
  });

  it.each([
    ['/pricing/', '/pricing'],
    ['/blog/hello/', '/blog/hello'],
    ['/analytics/abc//', '/analytics/abc'],
    ['/blog', '/blogs'],
    ['/blog/', '/blogs'],
    ['/cli', '/cli/hop.tgz'],
  ])('redirects %s to %s', async (path, to) => {
    const response = await page(path);
    expect([response.status, response.headers.get('Location')]).toEqual([
      302,
      `http://localhost:8787${to}`,
    ]);
  });

  it('serves the package of the command line, which npm asks for again', async () => {
    const response = await page('/cli/hop.tgz', {}, builtAssets);
    expect(await response.text()).toBe('package');
    expect(response.headers.get('Cache-Control')).toBe('no-cache');
    expect((await page('/cli/nothing', {}, builtAssets)).status).toBe(404);
  });

  it('a page says what to do if the SPA has not been built', async () => {
    const response = await page(
      '/',
      {},
      { ASSETS: { ...builtAssets.ASSETS, fetch: async () => new Response(null, { status: 404 }) } },
    );
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('npm run build');
  });
});

describe('files at the root that list posts', () => {
  it('lists public pages and published posts in the sitemap', async () => {
    const response = await page('/sitemap.xml');
    expect(response.headers.get('Content-Type')).toBe('application/xml; charset=utf-8');
    const xml = await response.text();
    expect(xml).toContain(
      '<loc>http://localhost:8787/blog/hello</loc><lastmod>2026-01-02T03:04:06.000Z</lastmod>',
    );
    expect(xml).toContain('<loc>http://localhost:8787/pricing</loc>');
    for (const absent of ['draft', 'dashboard', '/admin', '/auth', ':slug'])
      expect(xml).not.toContain(absent);
  });

  it('[T18] the feed contains the published posts, escaped', async () => {
    const response = await page('/feed.xml');
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=3600');
    const xml = await response.text();
    expect(xml).toContain('<title>Hello, world</title>');
    expect(xml).toContain('<pubDate>Fri, 02 Jan 2026 03:04:05 GMT</pubDate>');
    expect(xml).toContain('&lt;p&gt;First line.&lt;br&gt;Second line.&lt;/p&gt;&lt;p&gt;word');
    expect(xml).toContain('&amp;lt;script&amp;gt;alert(1)');
    expect(xml).not.toContain('\u0001');
    expect(xml).not.toContain('Not yet');
    expect(xml).toContain('<lastBuildDate>Fri, 02 Jan 2026 03:04:06 GMT</lastBuildDate>');
    expect(xml.indexOf('<title>Hello, world</title>')).toBeLessThan(
      xml.indexOf('<title>Older</title>'),
    );
  });
});
