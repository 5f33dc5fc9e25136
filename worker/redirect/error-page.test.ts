import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { BROKEN_ARC, ENDED_ARC, LOOPING_ARC } from '#contract/pages/arcs.ts';
import { SANS_FONT_PATH } from '#contract/pages/fonts.ts';
import { FOOTER_LINKS, HEADER_LINKS } from '#contract/site.ts';
import { call } from '#worker/testing/call.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import { storeLink, UNTOUCHABLE_DB } from '#worker/testing/stored-links.ts';
import { errorPage } from './error-page.ts';
import { arcPicture } from './html-page.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

let sends = 0;
const CLICKS = withMethods(env.CLICKS, { send: () => (sends++, Promise.resolve()) });
const QUICK = { CLICKS, CLICK_WINDOW_MS: '1', LINK_MEMORY_MS: '0' };
const JSON_ONLY = { headers: { Accept: 'application/json' } };

beforeEach(stopClock);

describe('an error page of a short link', () => {
  it('an unknown code returns 404', async () => {
    const response = await call('/nothing-here', {}, QUICK);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('<h1>Link not found</h1>');
  });

  it('an error page has the application’s header, footer and font in under 20 KB', async () => {
    const response = await call('/nothing-here', {}, QUICK);
    const html = await response.text();
    const [, header = '', footer = ''] =
      /<header>(.*)<\/header>.*<footer>(.*)<\/footer>/s.exec(html) ?? [];
    expect(header).toContain('aria-label="Hop: home page"');
    for (const { to, label } of HEADER_LINKS)
      expect(header).toContain(`<a href="${to}">${label}</a>`);
    for (const { to, label } of FOOTER_LINKS)
      expect(footer).toContain(`<a href="${to}">${label}</a>`);
    expect(html).toContain(`<link rel="preload" href="${SANS_FONT_PATH}" as="font"`);
    expect(response.headers.get('Content-Security-Policy')).toContain("font-src 'self';");
    expect(new TextEncoder().encode(html).length).toBeLessThan(20_000);
  });

  it.each<[string, Partial<Env>, boolean]>([
    ['open', {}, true],
    ['closed', {}, false],
    ['sso', {}, false],
    ['sso', { OIDC_ISSUER: 'https://login.example' }, true],
    // Nobody could sign in otherwise.
    ['open', { PASSWORD_SIGN_IN: 'off' }, true],
    ['open', { OIDC_ISSUER: 'https://login.example', PASSWORD_SIGN_IN: 'off' }, true],
    // The hosted project decides.
    ['closed', { SUPABASE_URL: 'https://project.example' }, true],
  ])('with SIGN_UP=%s and %o it offers a sign-up: %s', async (SIGN_UP, more, isOffered) => {
    const settings = { ...QUICK, SUPABASE_URL: '', SIGN_UP, ...more };
    const html = await (await call('/nothing-here', {}, settings)).text();
    expect(html.includes('/auth?tab=sign-up')).toBe(isOffered);
    expect(html).toContain('<a href="/auth">Sign In</a>');
  });

  it('a path that cannot be a code returns 404 without reading storage', async () => {
    const LINKS = withMethods(env.LINKS, {
      get: () => Promise.reject(new Error('KV was touched')),
    });
    for (const path of [
      '/a//b',
      '/dashboard/zzz',
      '/%00',
      '/code.php',
      '/ünï',
      `/${'a'.repeat(191)}`,
      '/<script>',
      '/a%2Fb',
    ])
      expect((await call(path, {}, { ...QUICK, LINKS, DB: UNTOUCHABLE_DB })).status, path).toBe(
        404,
      );
  });

  it.each([
    '/dashboard/zzz',
    '/admin/users',
    '/blog/a/b',
    '/login',
    '/Dashboard+',
    '/_x',
    '/code.php',
  ])('says that there is no page at %s', async (path) => {
    const response = await call(path, {}, QUICK);
    expect(response.status).toBe(404);
    const html = await response.text();
    expect(html).toContain('<h1>Page not found</h1>');
    expect(html).toContain('>Go to the home page</a>');
    expect(html).not.toContain('case-sensitive');
    expect(await (await call(path, JSON_ONLY, QUICK)).json()).toMatchObject({
      error: 'Page not found.',
      code: 'not_found',
    });
  });

  it.each(['/NoSuchCode', '/NoSuchCode+', '/NoSuchCode?x=/a/b'])(
    'says that there is no link at %s',
    async (path) => {
      const html = await (await call(path, {}, QUICK)).text();
      expect(html).toContain('<h1>Link not found</h1>');
      expect(html).toContain('case-sensitive');
    },
  );

  it('[T2] a disabled link returns 410, with the reason and a way to appeal', async () => {
    const { code } = await storeLink({
      status: 'disabled',
      reason: 'Reported as <b>phishing</b>.',
    });
    const page = await call(`/${code}`, {}, QUICK);
    expect(page.status).toBe(410);
    const html = await page.text();
    expect(html).toContain('<h1>This link is disabled</h1>');
    expect(html).toContain('Reason: Reported as &lt;b&gt;phishing&lt;/b&gt;.');
    expect(html).toContain(`href="/report?code=${code}"`);
    const data = await call(`/${code}`, JSON_ONLY, QUICK);
    expect(data.status).toBe(410);
    expect(await data.json()).toMatchObject({
      code: 'gone',
      error: 'This link is disabled: Reported as <b>phishing</b>.',
    });
    expect(sends).toBe(0);
  });

  it.each([
    ['KV', true],
    ['D1', false],
  ])('a deleted or expired link returns 410 in %s', async (_, isPublished) => {
    const now = Date.now();
    const deleted = await storeLink({ status: 'deleted', isPublished });
    const page = await call(`/${deleted.code}`, {}, QUICK);
    const html = await page.text();
    expect([page.status, html.includes('This link has been deleted')]).toEqual([410, true]);
    expect(html).not.toContain('/report?code=');
    const expired = await storeLink({ expiresAt: now - 1, isPublished });
    const other = await call(`/${expired.code}`, {}, QUICK);
    expect([other.status, (await other.text()).includes('This link has expired')]).toEqual([
      410,
      true,
    ]);
    const expiring = await storeLink({ expiresAt: now + 600_000, isPublished });
    expect((await call(`/${expiring.code}`, {}, QUICK)).status).toBe(302);
  });

  it('[T35] carries every security header and is neither cached nor indexed', async () => {
    const { code } = await storeLink({ status: 'disabled' });
    const fail = () => Promise.reject(new Error('down'));
    const down = { LINKS: withMethods(env.LINKS, { get: fail }), DB: UNTOUCHABLE_DB };
    const answers = [
      [404, await call('/nothing-here', {}, QUICK), BROKEN_ARC],
      [405, await call('/nothing-here', { method: 'POST' }, QUICK), BROKEN_ARC],
      [410, await call(`/${code}`, {}, QUICK), ENDED_ARC],
      [410, await call(`/${code}`, JSON_ONLY, QUICK), null],
      [503, await call(`/${code}`, {}, { ...QUICK, ...down }), LOOPING_ARC],
    ] as const;
    for (const [status, response, arc] of answers) {
      const { status: actual, headers } = response;
      expect(actual).toBe(status);
      expect(headers.get('Allow')).toBe(status === 405 ? 'GET, HEAD' : null);
      if (arc !== null) expect(await response.text()).toContain(`<main>\n${arcPicture(arc)}`);
      for (const [name, value] of Object.entries(SECURITY_HEADERS))
        expect(headers.get(name), `${status} ${name}`).toBe(value);
      expect(headers.get('X-Robots-Tag')).toBe('noindex');
      expect(headers.get('X-Frame-Options')).toBe('DENY');
      expect(headers.get('Cache-Control')).toBe('no-store');
      expect(headers.get('Content-Security-Policy')).toMatch(
        /^default-src 'none'; script-src 'nonce-[\w-]+'; style-src 'nonce-[\w-]+'/,
      );
    }
  });

  it('an error is JSON in the shape of the API if the client asks for it', async () => {
    const response = await call('/nothing-here', JSON_ONLY, QUICK);
    expect(response.headers.get('Content-Type')).toMatch('application/json');
    expect(await response.json()).toEqual({
      error: 'Link not found.',
      code: 'not_found',
      requestId: expect.stringMatching(/^[\w-]{36}$/),
    });
  });

  it('names the support address, if there is one', async () => {
    const { code } = await storeLink({ status: 'disabled' });
    const support = async (path: string, overrides: Partial<Env>) =>
      /mailto:([^"]*)"/.exec(await (await call(path, {}, { ...QUICK, ...overrides })).text())?.[1];
    for (const path of [`/${code}`, '/nothing-here', '/nothing-here+']) {
      expect(
        await support(path, {
          SUPPORT_EMAIL: 'help@hop.example',
          ABUSE_EMAIL: 'abuse@hop.example',
        }),
      ).toBe('help@hop.example');
      expect(await support(path, { ABUSE_EMAIL: 'abuse@hop.example' })).toBe('abuse@hop.example');
      expect(await support(path, {})).toBeUndefined();
      expect(await support(path, { SUPPORT_EMAIL: '"><script>@hop.example' })).toBeUndefined();
    }
  });

  it('[T14] a network that requests too many unknown codes gets 429', async () => {
    const from = (ip: string) => ({ headers: { 'CF-Connecting-IP': ip } });
    let asked = 0;
    const LIMIT_MISSES = {
      limit: ({ key }: { key: string }) =>
        Promise.resolve({ success: key !== 'miss:203.0.113.77' || ++asked <= 3 }),
    };
    const seen: number[] = [];
    for (let i = 0; i < 5; i++)
      seen.push(
        (await call(`/miss-${i}`, from('203.0.113.77'), { ...QUICK, LIMIT_MISSES })).status,
      );
    expect(seen).toEqual([404, 404, 404, 429, 429]);
    expect(asked).toBe(4);
    const limited = await call('/miss-9', from('203.0.113.77'), { ...QUICK, LIMIT_MISSES });
    expect([limited.status, asked]).toEqual([429, 4]);
    expect(Number(limited.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await call('/miss-9', from('203.0.113.78'), { ...QUICK, LIMIT_MISSES })).status).toBe(
      404,
    );
    // The isolate blocks the network for 10 s without asking the limiter.
    const start = Date.now();
    for (const [ms, answers] of [
      [9_999, 4],
      [10_000, 5],
    ] as const) {
      vi.setSystemTime(start + ms);
      await call('/miss-9', from('203.0.113.77'), { ...QUICK, LIMIT_MISSES });
      expect(asked).toBe(answers);
    }
  });

  it.each([
    ['down', '5'],
    ['limited', '60'],
    ['unknown', null],
  ] as const)('a page that says %s asks for a pause of %s seconds', (why, pause) => {
    const response = errorPage(new Request('https://hop.example/abc'), env, { why });
    expect(response.headers.get('Retry-After')).toBe(pause);
    expect(response.headers.get('Vary')).toBe('Accept');
  });

  it('a page that says down offers to load it again', async () => {
    const response = errorPage(new Request('https://hop.example/abc'), env, { why: 'down' });
    expect(await response.text()).toContain('<a class="button" href="">Try again</a>');
  });
});
