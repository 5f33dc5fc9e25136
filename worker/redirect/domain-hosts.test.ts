import { env } from 'cloudflare:test';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { linkKey, type DomainId } from '#contract/codes/domain-key.ts';
import { openDb } from '#worker/db/client.ts';
import { links } from '#worker/db/schema-links.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { publishHosts } from '#worker/edge/publish-hosts.ts';
import { publishLinks } from '#worker/edge/publish.ts';
import { call } from '#worker/testing/call.ts';
import { syncSharedHosts } from '#worker/domains/sync-shared-hosts.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { storeLink, UNTOUCHABLE_DB } from '#worker/testing/stored-links.ts';
import { hostKey } from './host-record.ts';
import { HSTS } from './security-headers.ts';

const db = openDb(env.DB);
const SETTINGS = {
  APP_ORIGIN: 'https://hop.example',
  SHORT_ORIGIN: 'https://h.example',
  LINK_MEMORY_MS: '0',
  CLICK_WINDOW_MS: '1',
};
let serial = 0;
const newHost = () => `go-${++serial}.acme.example`;

/** A host of the operator with a link, both in KV unless `isPublished` is false. */
async function makeHost(
  given: Parameters<typeof makeDomain>[1] & { isPublished?: boolean } = {},
): Promise<{ host: string; id: DomainId; settings: Partial<Env> }> {
  const { isPublished = true, ...domain } = given;
  const host = newHost();
  const id = await makeDomain(host, domain);
  const target = `https://example.com/on/${host}`;
  const now = Date.now();
  const [link] = await db
    .insert(links)
    .values({
      code: linkKey(id, 'abc'),
      target,
      target_host: 'example.com',
      user_id: 'somebody',
      suggest_on_typo: true,
      created_at: now,
      updated_at: now,
    })
    .returning({ id: links.id });
  if (isPublished) {
    await publishHosts(env, [host], now);
    await publishLinks(env, [link?.id ?? 0], now);
  }
  return { host, id, settings: { ...SETTINGS, SHORT_HOSTS: host } };
}
const visit = (host: string, path: string, settings: Partial<Env>, init: RequestInit = {}) =>
  call(`https://${host}${path}`, init, settings);
const targetOf = async (response: Response | Promise<Response>): Promise<string | number> => {
  const { status, headers } = await response;
  return headers.get('Location') ?? status;
};

describe('a host of a domain', () => {
  it('redirects from KV without D1', async () => {
    const { host, settings } = await makeHost();
    const withoutD1 = { ...settings, DB: UNTOUCHABLE_DB };
    expect(await targetOf(visit(host, '/abc?x=1', withoutD1))).toBe(
      `https://example.com/on/${host}`,
    );
    expect(await targetOf(visit(`${host}.`, '/abc/', withoutD1))).toContain('/on/');
    expect(await targetOf(visit('h.example', '/abc', settings))).toBe(404);
  });

  it.each([null, 'garbage', '{"v":9,"d":"x","s":"a"}'])(
    'redirects from D1, and writes what KV lacks: %s',
    async (value) => {
      const { host, id, settings } = await makeHost({ isPublished: false });
      const key = hostKey(env.LINKS_EPOCH, host);
      if (value !== null) await env.LINKS.put(key, value);
      expect(await targetOf(visit(host, '/abc', settings))).toContain('/on/');
      expect(await env.LINKS.get(key, 'json')).toMatchObject({ d: id, s: 'a', o: 1 });
    },
  );

  it('writes nothing to KV after a read of KV that failed', async () => {
    const { host, settings } = await makeHost({ isPublished: false });
    const LINKS = withMethods(env.LINKS, { get: () => Promise.reject(new Error('KV is down')) });
    expect(await targetOf(visit(host, '/abc', { ...settings, LINKS }))).toContain('/on/');
    expect(await env.LINKS.get(hostKey(env.LINKS_EPOCH, host))).toBeNull();
  });

  it('answers 503 for a host that only D1 may know while D1 fails', async () => {
    const failing = { ...SETTINGS, CF_SAAS_ZONE_ID: 'zone', DB: UNTOUCHABLE_DB };
    expect((await visit(newHost(), '/abc', failing)).status).toBe(503);
  });

  it('redirects from memory', async () => {
    const { host, settings } = await makeHost();
    const remembered = { ...settings, LINK_MEMORY_MS: '5000' };
    await visit(host, '/abc', remembered);
    const LINKS = withMethods(env.LINKS, { get: () => Promise.reject(new Error('KV was read.')) });
    const memoryOnly = { ...remembered, DB: UNTOUCHABLE_DB, LINKS };
    expect(await targetOf(visit(host, '/abc', memoryOnly))).toContain('/on/');
    expect(
      (await visit(host, '/abc', { ...memoryOnly, SHORT_HOSTS: 'other.example' })).status,
    ).toBe(421);
  });

  it('remains in memory for 5 seconds also if LINK_MEMORY_MS is 0', async () => {
    const { host, settings } = await makeHost();
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const reads: string[] = [];
    const LINKS = withMethods(env.LINKS, {
      get: (key: string) => (reads.push(key), env.LINKS.get(key)),
    });
    const counted = { ...settings, LINKS, DB: UNTOUCHABLE_DB };
    const readsOfVisit = async (): Promise<number> => {
      reads.length = 0;
      expect(await targetOf(visit(host, '/abc', counted))).toContain('/on/');
      return reads.length;
    };
    expect([await readsOfVisit(), await readsOfVisit()]).toEqual([2, 1]);
    vi.setSystemTime(Date.now() + 5_000);
    expect(await readsOfVisit()).toBe(2);
  });

  it('a change made in the same isolate is seen at once', async () => {
    const { host, id, settings } = await makeHost();
    expect(await targetOf(visit(host, '/abc', settings))).toContain('/on/');
    await env.DB.prepare(
      "UPDATE domains SET status = 'suspended', version = version + 1 WHERE id = ?1",
    )
      .bind(id)
      .run();
    await publishHosts(env, [host], Date.now());
    expect(await targetOf(visit(host, '/abc', settings))).toBe(410);
  });

  it('[T49] an unknown host costs nothing unless members can add hosts', async () => {
    const { host, settings } = await makeHost();
    const withoutD1 = { ...settings, DB: UNTOUCHABLE_DB };
    for (const SHORT_HOSTS of ['', 'other.example'])
      expect((await visit(host, '/abc', { ...withoutD1, SHORT_HOSTS })).status).toBe(421);
    const saas = { ...settings, CF_SAAS_ZONE_ID: 'zone' };
    const unknown = newHost();
    expect((await visit(unknown, '/abc', saas)).status).toBe(421);
    expect(await env.LINKS.get(hostKey(env.LINKS_EPOCH, unknown))).toBeNull();
  });

  it('a member’s host needs proof and the setting for such hosts', async () => {
    const { host, settings } = await makeHost({ owner: 'somebody' });
    const saas = { ...SETTINGS, CF_SAAS_ZONE_ID: 'zone' };
    expect(await targetOf(visit(host, '/abc', saas))).toContain('/on/');
    expect(await targetOf(visit(host, '/abc', { ...saas, SHORT_HOSTS: host }))).toContain('/on/');
    expect((await visit(host, '/abc', settings)).status).toBe(421);
    const unproven = newHost();
    await makeDomain(unproven, { owner: 'somebody' });
    await env.DB.prepare('UPDATE domain_hosts SET proven_at = NULL WHERE host = ?1')
      .bind(unproven)
      .run();
    expect((await visit(unproven, '/abc', saas)).status).toBe(421);
    // The host's tombstone names no domain, so it must not lead to our own codes.
    await publishHosts(env, [unproven], Date.now());
    const { code } = await storeLink({});
    expect((await visit(unproven, `/${code}`, saas)).status).toBe(421);
  });

  it('[T3] serves links and small files, never the application, API or sign-in', async () => {
    const { host, settings } = await makeHost();
    const statusOf = async (path: string, init: RequestInit = {}) =>
      (await visit(host, path, settings, init)).status;
    for (const path of ['/login', '/auth', '/dashboard', '/api/health', '/api/v1/links', '/sw.js'])
      expect([path, await statusOf(path)]).toEqual([path, 404]);
    expect(await statusOf('/api/shorten', { method: 'POST' })).toBe(405);
    expect(await statusOf('/robots.txt')).toBe(200);
    expect(await statusOf('/.well-known/unknown')).toBe(404);
    const root = await visit(host, '/', settings);
    expect(await root.text()).toContain(`<h1>${host}</h1>`);
    expect(root.headers.get('Strict-Transport-Security')).not.toContain('includeSubDomains');
    const preview = await (await visit(host, '/abc+', settings)).text();
    expect(preview).toContain(`>${host}/abc<`);
    expect(preview).toContain(`href="https://hop.example/report?code=${host}%2Fabc"`);
    expect(await (await visit(host, '/ABC', settings)).text()).toContain(`${host}/abc</bdi>`);
  });

  it('the page of a disabled link reports its short URL, not its key', async () => {
    const { host, id, settings } = await makeHost({ isPublished: false });
    const { meta } = await env.DB.prepare("UPDATE links SET status = 'disabled' WHERE code = ?1")
      .bind(linkKey(id, 'abc'))
      .run();
    expect(meta.changes).toBeGreaterThan(0);
    const page = await visit(host, '/abc', settings);
    expect(page.status).toBe(410);
    expect(await page.text()).toContain(`/report?code=${host}%2Fabc"`);
  });

  it('redirects http to https', async () => {
    const { host, settings } = await makeHost();
    const response = await call(`http://${host}/abc`, {}, settings);
    expect(response.headers.get('Location')).toBe(`https://${host}/abc`);
  });

  it('leads its root and unknown codes to the pages of its owner', async () => {
    const { host, settings } = await makeHost({
      root_url: 'https://acme.example/',
      not_found_url: 'https://acme.example/404',
    });
    expect(await targetOf(visit(host, '/', settings))).toBe('https://acme.example/');
    for (const path of ['/unknown', '/not%20a%20code'])
      for (const [scheme, hsts] of [
        ['https', HSTS],
        ['http', null],
      ] as const) {
        const APP_ORIGIN = `${scheme}://hop.example`;
        const { headers } = await call(
          `${scheme}://${host}${path}`,
          {},
          { ...settings, APP_ORIGIN },
        );
        expect(headers.get('Location')).toBe('https://acme.example/404');
        expect(headers.get('Strict-Transport-Security')).toBe(hsts);
      }
  });

  it('answers 410 while its domain is suspended', async () => {
    const { host, settings } = await makeHost({ status: 'suspended' });
    const response = await visit(host, '/abc', settings);
    expect(response.status).toBe(410);
    expect(await response.text()).toContain('This domain is suspended');
  });

  it('answers 421 while SHORT_HOSTS does not name it, and keeps its links', async () => {
    const { host, settings } = await makeHost();
    const without = { ...env, ...settings, SHORT_HOSTS: 'other.acme.example' };
    expect(await syncSharedHosts(without, Date.now())).toBeGreaterThan(0);
    expect((await visit(host, '/abc', { ...settings, SHORT_HOSTS: '' })).status).toBe(421);
    // The first request to the host adds it again.
    expect(await targetOf(visit(host, '/abc', settings))).toContain('/on/');
    expect(await syncSharedHosts({ ...env, ...settings }, Date.now())).toBe(0);
    const saas = { ...settings, SHORT_HOSTS: '', CF_SAAS_ZONE_ID: 'zone' };
    expect((await visit(host, '/abc', saas)).status).toBe(421);
  });
});
