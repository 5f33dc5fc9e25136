import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { escapeHtml } from '#worker/html.ts';
import { PREVIEW } from '#worker/messages/site.ts';
import { qrSvg } from '#worker/links/qr.ts';
import { publishLinks } from '#worker/edge/publish.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { storeLink } from '#worker/testing/stored-links.ts';
import { d1Down } from '#worker/testing/faults.ts';

const CREATED = Date.UTC(2026, 10, 3, 12);
const TARGET = 'https://xn--bcher-kva.example/a%C3%BC?q="><script>alert(1)</script>';
const HREF = new URL(TARGET).href;
let sends = 0;
const over = {
  CLICK_WINDOW_MS: '1',
  CLICKS: withMethods(env.CLICKS, { send: () => (sends++, Promise.resolve()) }),
};
const down = d1Down(env.DB);

beforeAll(async () => {
  const insert = `INSERT INTO links (code, target, target_host, status, disabled_reason, created_at, updated_at) VALUES (?1, ?2, 'x', ?3, ?4, ?5, ?5)`;
  await env.DB.batch([
    env.DB.prepare(insert).bind('open', HREF, 'active', null, CREATED),
    env.DB.prepare(insert).bind('off', HREF, 'disabled', 'Reported as phishing.', CREATED),
    env.DB.prepare(insert).bind('unseen', HREF, 'active', null, CREATED),
    env.DB.prepare(insert).bind('plain', 'https://example.com/', 'active', null, CREATED),
    env.DB.prepare("UPDATE links SET forward_params = 'ref,gclid' WHERE code = 'open'"),
  ]);
  await publishLinks(env, [1, 2, 3, 4], CREATED);
});

describe('GET /{code}+', () => {
  it('[T10] [T38] a preview shows the full target, its host, the date, a QR code and actions', async () => {
    const response = await call('/open+', {}, over);
    expect(response.status).toBe(200);
    expect(response.headers.get('Location')).toBeNull();
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    const html = await response.text();
    expect(html).toContain('<h1 class="host"><bdi dir="ltr">bücher.example</bdi></h1>');
    expect(html).toContain('In Punycode: <span class="mono">xn--bcher-kva.example</span>');
    expect(html).toContain('November 3, 2026');
    expect(html).toContain('<dd>ref, gclid</dd>');
    expect(html).toContain(`alt="QR code of ${ORIGIN}/open"`);
    const [, picture = ''] = /src="(data:image\/svg\+xml,[^"]*)"/.exec(html) ?? [];
    const drawn = decodeURIComponent(picture.replace('data:image/svg+xml,', ''));
    expect(drawn.replaceAll("'", '"')).toBe(qrSvg(`${ORIGIN}/open`));
    const [, address = ''] = /<p class="mono url">(.*)<\/p>/.exec(html) ?? [];
    expect(address.replaceAll('<wbr>', '')).toBe(`<bdi dir="ltr">${escapeHtml(HREF)}</bdi>`);
    expect(html).toContain(
      'rel="noreferrer nofollow ugc"><span>Continue to <bdi dir="ltr">bücher.example</bdi></span></a>',
    );
    expect(html).toContain('/report?code=open"');
    const nonce = /script-src 'nonce-([^']+)'/.exec(
      response.headers.get('Content-Security-Policy') ?? '',
    )?.[1];
    expect(html.match(/<script[^>]*>/g)).toEqual([`<script nonce="${nonce}">`]);
    expect(new TextEncoder().encode(html).length).toBeLessThan(20_000);
  });

  it('an address breaks behind slashes and before the parts of its query', async () => {
    const { code } = await storeLink({
      target:
        'https://a-long-name.example.com/some/path/hono/releases/latest?source=mail&x=1#part-2',
    });
    const html = await (await call(`/${code}+`, {}, over)).text();
    expect(html).toContain(
      'https://a-long-name.example.com/<wbr>some/path/hono/<wbr>releases/latest<wbr>?source=mail<wbr>&amp;x=1#part-2',
    );
  });

  it('an address has a break within a part only where the part is longer than a line', async () => {
    const { code } = await storeLink({ target: `https://example.com/${'a'.repeat(70)}` });
    const html = await (await call(`/${code}+`, {}, over)).text();
    expect(html).toContain(
      `https://example.com/<wbr>${'a'.repeat(32)}<wbr>${'a'.repeat(32)}<wbr>${'a'.repeat(6)}</bdi>`,
    );
  });

  it('a preview of the longest address is smaller than 20 KB', async () => {
    const target = `https://example.com/${'abc/de-f/'.repeat(225)}`.slice(0, 2048);
    const { code } = await storeLink({ target });
    const html = await (await call(`/${code}+`, {}, over)).text();
    expect(html).toContain(`href="${target}"`);
    expect(new TextEncoder().encode(html).length).toBeLessThan(20_000);
  });

  it('shows rules in their order and the fallback, each with its host and address', async () => {
    const { code } = await storeLink({
      rules: [
        { if: { device: ['ios'] }, to: 'https://xn--bcher-kva.example/ios' },
        { if: { country: ['BR'], query: ['a=<b>'] }, to: 'https://example.com/br' },
      ],
      fallbackUrl: 'https://after.example/',
      expiresAt: Date.now() + DAY_MS,
    });
    const html = await (await call(`/${code}+`, {}, over)).text();
    const facts = html
      .slice(html.indexOf('<dl>'), html.indexOf('<dt>Created'))
      .replaceAll(/<bdi dir="ltr">|<\/bdi>|<wbr>/g, '');
    expect(facts).toBe(
      '<dl><dt>Rule 1</dt><dd>Device: iPhone or iPad.<br><b>bücher.example</b>\n' +
        '<p>In Punycode: <span class="mono">xn--bcher-kva.example</span></p>\n' +
        '<span class="mono">https://xn--bcher-kva.example/ios</span></dd>' +
        '<dt>Rule 2</dt><dd>Country: Brazil. Query: a=&lt;b&gt;.<br><b>example.com</b>\n' +
        '<span class="mono">https://example.com/br</span></dd>' +
        '<dt>Destination after its end</dt><dd><b>after.example</b>\n' +
        '<span class="mono">https://after.example/</span></dd>',
    );
    expect(html).toContain('Each destination is an http or https address');
    const json = await call(`/${code}+`, { headers: { Accept: 'application/json' } }, over);
    expect(await json.json()).toMatchObject({
      rules: [
        { if: { device: ['ios'] }, to: 'https://xn--bcher-kva.example/ios' },
        { if: { country: ['BR'], query: ['a=<b>'] }, to: 'https://example.com/br' },
      ],
      fallbackUrl: 'https://after.example/',
    });
  });

  it('shows the variants with their shares, its own destination first', async () => {
    const variants = [
      { url: 'https://b.example/', weight: 30 },
      { url: 'https://c.example/', weight: 20 },
    ];
    const { code } = await storeLink({ target: 'https://a.example/', variants });
    const html = await (await call(`/${code}+`, {}, over)).text();
    expect(html).toContain('The link divides its visitors between the destinations below.');
    const shares = [...html.matchAll(/<dt>(\d+)% of visitors go to<\/dt><dd><b>.*?>(\w)\.ex/g)];
    expect(shares.map(([, share, host]) => [share, host])).toEqual([
      ['50', 'a'],
      ['30', 'b'],
      ['20', 'c'],
    ]);
    expect(await (await call('/plain+', {}, over)).text()).not.toContain('divides');
    const json = await call(`/${code}+`, { headers: { Accept: 'application/json' } }, over);
    expect(await json.json()).toMatchObject({ longUrl: 'https://a.example/', variants });
  });

  it('shows the fallback of a link that has ended, without rules, and no address twice', async () => {
    const { code } = await storeLink({
      rules: [{ if: { device: ['ios'] }, to: 'https://ios.example/' }],
      fallbackUrl: 'https://after.example/',
      expiresAt: Date.now() - 1,
    });
    const html = await (await call(`/${code}+`, {}, over)).text();
    expect(html).toContain('href="https://after.example/"');
    expect(html).not.toContain('Rule 1');
    expect(html).not.toContain('Some visitors go elsewhere');
    const same = await storeLink({
      target: 'https://after.example/',
      fallbackUrl: 'https://after.example/',
      expiresAt: Date.now() + DAY_MS,
    });
    const page = await (await call(`/${same.code}+`, {}, over)).text();
    expect(page).not.toContain('Destination after its end');
  });

  it('says how old a link is, what was checked and what a click stores', async () => {
    const { code } = await storeLink();
    const html = async (vars: Partial<Env>) =>
      (await call(`/${code}+`, {}, { ...over, ...vars })).text();
    const page = await html({ REPUTATION_DOH_URL: '' });
    expect(page).toContain(', less than a day ago</dd>');
    expect(page).toContain('<dt>Destination last changed</dt><dd>Never</dd>');
    expect(page).toContain('on the blocklist of this site');
    expect(page).not.toContain('reputation service');
    expect(page).toContain('<h2>What Hop stores when you continue</h2>');
    expect(page).toContain('Never your IP address.');
    expect(await html({ REPUTATION_DOH_URL: 'https://dns.example/' })).toContain(
      'A reputation service is asked',
    );
  });

  it.each([
    [0, 'less than a day ago'],
    [1, '1 day ago'],
    [59, '59 days ago'],
    [60, '1 month ago'],
    [400, '13 months ago'],
    [731, '2 years ago'],
  ])('the age after %i days is %s', (days, text) => {
    expect(PREVIEW.age(CREATED, CREATED + days * DAY_MS + 1)).toBe(text);
  });

  it('a preview shows a host without Unicode letters once', async () => {
    const html = await (await call('/plain+', {}, over)).text();
    expect(html).toContain('<h1 class="host"><bdi dir="ltr">example.com</bdi></h1>');
    expect(html).not.toContain('Punycode');
  });

  it('[T52] shows a host that imitates another one in Punycode only, also of an older link', async () => {
    for (const name of [
      'accounts.google.com⁄signin.evil.example',
      'paypaꓲ.com',
      'whıtehouse.com',
    ]) {
      const { href, hostname } = new URL(`https://${name}/`);
      const { code } = await storeLink({ target: href });
      const html = await (await call(`/${code}+`, {}, over)).text();
      expect(html).toContain(`<h1 class="host"><bdi dir="ltr">${hostname}</bdi></h1>`);
      expect(html).toContain(`Continue to <bdi dir="ltr">${hostname}</bdi>`);
      expect(html).not.toContain(name.slice(0, -4));
      const json = await call(`/${code}+`, { headers: { Accept: 'application/json' } }, over);
      expect(await json.json()).toMatchObject({ host: hostname, unicodeHost: hostname });
    }
  });

  it('[T38] a preview never counts as a click', async () => {
    for (const path of ['/open+', '/open+?x=1', '/off+', '/nobody+']) await call(path, {}, over);
    expect(sends).toBe(0);
  });

  it('returns the link’s own error if the link does not redirect', async () => {
    const off = await call('/off+', {}, over);
    expect(off.status).toBe(410);
    expect(await off.text()).toContain('Reported as phishing.');
    expect((await call('/nobody+', {}, over)).status).toBe(404);
    expect((await call('/a/b+', {}, over)).status).toBe(404);
    expect((await call('/open+', { method: 'POST' }, over)).status).toBe(405);
  });

  it.each(['/open%2B', '/open%2b', '/open+/', '/open%2B/'])(
    'answers %s like /open+',
    async (path) => {
      const response = await call(path, {}, over);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('<bdi dir="ltr">bücher.example</bdi></h1>');
      expect(sends).toBe(0);
    },
  );

  it('returns JSON if the client asks for it', async () => {
    const response = await call('/open+', { headers: { Accept: 'application/json' } }, over);
    expect(await response.json()).toEqual({
      code: 'open',
      shortUrl: `${ORIGIN}/open`,
      longUrl: HREF,
      host: 'xn--bcher-kva.example',
      unicodeHost: 'bücher.example',
      rules: [],
      variants: [],
      fallbackUrl: null,
      created_at: '2026-11-03T12:00:00.000Z',
      destination_changed_at: null,
    });
  });

  it('shows when an imported link was imported, and when its target last changed', async () => {
    const { code } = await storeLink();
    await env.DB.prepare(
      `UPDATE links SET created_at = ?1, imported_at = ?2, target_changed_at = ?3, forward_params = '*'
       WHERE code = ?4`,
    )
      .bind(Date.UTC(2001, 0, 1), Date.UTC(2026, 4, 6), Date.UTC(2026, 6, 8), code)
      .run();
    const html = await (await call(`/${code}+`, {}, over)).text();
    expect(html).toContain('<dt>Created</dt><dd>May 6, 2026, ');
    expect(html).toContain('<dt>Destination last changed</dt><dd>July 8, 2026, ');
    expect(html).toContain('<dt>Parameters it adds from the short URL</dt><dd>All</dd>');
  });

  it('shows when a link ends', async () => {
    const { code } = await storeLink();
    await env.DB.prepare('UPDATE links SET expires_at = ?1 WHERE code = ?2')
      .bind(Date.UTC(2099, 0, 2, 3, 4, 5), code)
      .run();
    expect(await (await call(`/${code}+`, {}, over)).text()).toContain(
      '<dt>Expires</dt><dd>2099-01-02 03:04 UTC</dd>',
    );
  });

  it('returns 404 for a code that was given back', async () => {
    const { code } = await storeLink();
    await env.DB.prepare('UPDATE links SET released_at = 1 WHERE code = ?1').bind(code).run();
    await env.LINKS.delete(code);
    expect((await call(`/${code}+`, {}, over)).status).toBe(404);
  });

  it('reads the edge record of the present LINKS_EPOCH only', async () => {
    const epoch = { ...over, DB: down, LINKS_EPOCH: '2026' };
    await env.LINKS.put('2026:epoch', JSON.stringify({ v: 1, i: 9, s: 'a', u: HREF, e: 0 }));
    await env.LINKS.put('old', JSON.stringify({ v: 1, i: 9, s: 'a', u: HREF, e: 0 }));
    expect((await call('/epoch+', {}, epoch)).status).toBe(200);
    expect((await call('/old+', {}, epoch)).status).toBe(503);
    // [A11] D1 is up, but has lost the link.
    expect((await call('/epoch+', {}, { ...epoch, DB: env.DB })).status).toBe(200);
  });

  it('shows the edge record without a date while D1 is down', async () => {
    // Not requested before, so the edge cache does not hold it.
    const response = await call('/unseen+', {}, { ...over, DB: down });
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain('Created');
    expect((await call('/nobody+', {}, { ...over, DB: down })).status).toBe(503);
  });
});
