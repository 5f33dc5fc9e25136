import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { SystemReport } from '#contract/system/system.ts';
import { NEEDED_SCHEMA } from '#worker/db/schema-version.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';

const rename = (from: string, to: string) =>
  env.DB.prepare('UPDATE d1_migrations SET name = ?2 WHERE name = ?1')
    .bind(`${from}.sql`, `${to}.sql`)
    .run();

async function newestSchema(): Promise<string | undefined> {
  const newest = env.DB.prepare('SELECT max(name) AS name FROM d1_migrations');
  return (await newest.first<{ name: string }>())?.name.replace('.sql', '');
}

describe('a database with an older schema than the release needs', () => {
  beforeAll(async () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await env.LINKS.put('known', '{"v":1,"i":7,"s":"a","u":"https://example.com/","e":0}');
    await rename(NEEDED_SCHEMA, '0009_older');
  });

  it('[T40] an older schema makes both APIs answer 503, while redirects continue', async () => {
    const { headers } = await makePerson({ role: 'admin' });
    for (const path of ['/api/my-urls', '/api/admin?action=stats']) {
      const response = await call(path, { headers });
      expect(response.status).toBe(503);
      expect(response.headers.get('Retry-After')).toBe('30');
      expect(await response.json()).toMatchObject({
        error: 'We are upgrading. Try again in a few minutes.',
        code: 'unavailable',
      });
    }
    expect((await call('/api/v1/me')).status).toBe(503);
    expect((await call('/api/shorten', { json: { longUrl: 'https://example.com/' } })).status).toBe(
      503,
    );
    expect((await call('/known')).headers.get('Location')).toBe('https://example.com/');
    expect((await call('/api/health')).status).toBe(200);
    expect((await call('/api/ready')).status).toBe(503);
    const system = await call('/api/admin/system', { headers });
    expect(system.status).toBe(200);
    const { schema } = (await system.json<SystemReport>()).release;
    expect(schema).toBe(await newestSchema());
    expect(schema).not.toBe(NEEDED_SCHEMA);
  });

  it('requests work once migrations are applied, and with a later release’s schema', async () => {
    await rename('0009_older', NEEDED_SCHEMA);
    await env.DB.prepare(`INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')`).run();
    const { headers } = await makePerson();
    expect((await call('/api/my-urls', { headers })).status).toBe(200);
    expect((await call('/api/ready')).status).toBe(200);
  });
});
