import { env } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { call } from '#worker/testing/call.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { makePerson } from '#worker/testing/make.ts';
import { bodyOf, countLinks, shortenAsVisitor } from '#worker/testing/visitor.ts';
import { d1Down } from '#worker/testing/faults.ts';

describe('API while storage fails', () => {
  const down = d1Down(env.DB);

  it('[T40] returns 503 with Retry-After while D1 is down, and logs no link', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const response = await shortenAsVisitor(
      { body: '{"longUrl":"https://example.com/secret-path"}' },
      { DB: down },
    );
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await bodyOf(response)).toMatchObject({ code: 'unavailable' });
    const lines = log.mock.calls.flat().join('\n');
    expect(lines).toContain('request_failed');
    expect(lines).not.toMatch(/secret-path|203\.0\./);
    log.mockRestore();
  });

  it('[T40] returns 503 and not 401 to a member while D1 is down', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const person = await makePerson();
    expect((await call('/api/my-urls', { headers: person.headers }, { DB: down })).status).toBe(
      503,
    );
    log.mockRestore();
  });

  it('[T40] creates the link while KV is down and puts it into the outbox', async () => {
    const kv = withMethods(env.LINKS, {
      put: () => Promise.reject(new Error('KV PUT failed: 500')),
    });
    const response = await shortenAsVisitor(
      { body: '{"longUrl":"https://example.com/kv"}' },
      { LINKS: kv },
    );
    expect(response.status).toBe(201);
    const { code } = await response.json<{ code: string }>();
    const waiting = env.DB.prepare(
      'SELECT count(*) AS n FROM link_outbox JOIN links ON id = link_id WHERE code = ?1',
    ).bind(code);
    expect(await waiting.first('n')).toBe(1);
  });

  it('rolls the whole batch back when a later statement fails', async () => {
    const person = await makePerson({ usage: 3 });
    await env.DB.prepare(
      "CREATE TRIGGER no_words BEFORE INSERT ON link_words BEGIN SELECT raise(abort, 'overloaded'); END",
    ).run();
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const before = await countLinks();
    expect(
      (
        await shortenAsVisitor({
          body: '{"longUrl":"https://example.com"}',
          headers: person.headers,
        })
      ).status,
    ).toBeGreaterThanOrEqual(500);
    log.mockRestore();
    await env.DB.prepare('DROP TRIGGER no_words').run();
    expect(await countLinks()).toBe(before);
    const usage = env.DB.prepare('SELECT current_usage FROM subscriptions WHERE user_id = ?1').bind(
      person.id,
    );
    expect(await usage.first('current_usage')).toBe(3);
  });

  it('[T40] lets requests through while the rate limiter fails', async () => {
    const broken = { LIMIT_VISITOR_LINKS: { limit: () => Promise.reject(new Error('down')) } };
    expect(
      (await shortenAsVisitor({ body: '{"longUrl":"https://example.com/limiter"}' }, broken))
        .status,
    ).toBe(201);
  });
});

describe('log of a failed request', () => {
  it('[T31] a failed request writes one line of JSON whatever the path contains', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const broken = withMethods(env.DB, {
      prepare: () => {
        throw new Error('boom\n{"event":"forged"}\u001b[31m');
      },
    });
    expect((await call('/api/qr/a%0Ab?secret=1', {}, { DB: broken })).status).toBe(404);
    expect((await call('/api/qr/abc?secret=1', {}, { DB: broken })).status).toBe(500);
    expect(log).toHaveBeenCalled();
    for (const [line] of log.mock.calls) {
      expect(String(line)).not.toMatch(/\p{Cc}/u);
      expect(String(line)).not.toContain('secret');
      expect(JSON.parse(String(line))).toMatchObject({
        event: expect.not.stringContaining('forged'),
      });
    }
    log.mockRestore();
  });
});
