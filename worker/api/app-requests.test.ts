import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeKey } from '#worker/testing/api-key.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';
import { bodyOf, countLinks, shortenAsVisitor } from '#worker/testing/visitor.ts';
import { ACCESS } from './access.ts';

describe('API responses', () => {
  it.each([
    ['a success', '/api/health', {}, 200],
    ['a 401', '/api/my-urls', {}, 401],
    ['a 404', '/api/nothing', {}, 404],
    ['a 404 of a code', '/api/qr/nothing', {}, 404],
    ['a 405', '/api/shorten', {}, 405],
    [
      'a 400',
      '/api/shorten',
      { method: 'POST', body: '{', headers: { 'Content-Type': 'application/json' } },
      400,
    ],
    ['a HEAD', '/api/health', { method: 'HEAD' }, 200],
    ['an unlucky path', '/api/links/%00', { method: 'DELETE' }, 401],
  ])(
    'API responses send security headers, a request id and no-store: %s',
    async (_name, path, init, status) => {
      const response = await call(path, init);
      expect(response.status).toBe(status);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'cache-control': expect.stringContaining('no-store'),
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringMatching(
          /default-src 'none'.*frame-ancestors 'none'/,
        ),
        'cross-origin-resource-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': expect.any(String),
        'permissions-policy': expect.any(String),
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      expect(response.headers.has('access-control-allow-origin')).toBe(false);
      if (status >= 400)
        expect(await bodyOf(response)).toMatchObject({
          requestId: response.headers.get('x-request-id'),
        });
    },
  );

  it('[T17] API responses send HSTS over https and never a cookie', async () => {
    const response = await call(
      'https://hop.example/api/health',
      {},
      { APP_ORIGIN: 'https://hop.example' },
    );
    expect(response.headers.get('strict-transport-security')).toMatch(/max-age=31536000/);
    expect(response.headers.has('set-cookie')).toBe(false);
  });
});

describe('methods', () => {
  it('returns 405 with the allowed methods, and answers HEAD like GET', async () => {
    const wrong = await call('/api/shorten', { method: 'PUT', json: {} });
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('Allow')).toBe('POST');
    expect(await bodyOf(wrong)).toMatchObject({ code: 'method_not_allowed' });
    expect((await call('/api/links/abc', { method: 'POST', json: {} })).headers.get('Allow')).toBe(
      'GET, HEAD, PATCH, DELETE',
    );
    expect(
      (
        await call('/api/shorten', {
          method: 'OPTIONS',
          headers: { Origin: 'https://evil.example' },
        })
      ).status,
    ).toBe(405);
    const head = await call('/api/blogs', { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    expect((await call('/api/my-urls', { method: 'HEAD' })).status).toBe(401);
  });
});

describe('[T17] cross-site writes', () => {
  it.each<Record<string, string>>([
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: `${ORIGIN}.evil.example` },
    { Origin: 'http://localhost:9999' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' },
  ])('[T17] returns 403 for %j', async (headers) => {
    const before = await countLinks();
    const response = await shortenAsVisitor({ body: '{"longUrl":"https://example.com"}', headers });
    expect(response.status).toBe(403);
    expect(await bodyOf(response)).toMatchObject({ code: 'forbidden' });
    expect(await countLinks()).toBe(before);
  });

  it.each<Record<string, string>>([
    {},
    { Origin: ORIGIN },
    { Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' },
    { 'Sec-Fetch-Site': 'none' },
  ])('accepts our own pages and programs: %j', async (headers) => {
    expect(
      (await shortenAsVisitor({ body: '{"longUrl":"https://example.com"}', headers })).status,
    ).toBe(201);
  });

  it('answers a cross-site read without CORS headers', async () => {
    const response = await call('/api/health', { headers: { Origin: 'https://evil.example' } });
    expect(response.status).toBe(200);
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
  });
});

describe('request bodies', () => {
  const good = '{"longUrl":"https://example.com/body"}';

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json+x',
    'text/json',
    '',
  ])('[T17] returns 415 for the content type %j', async (type) => {
    const response = await shortenAsVisitor({
      body: new TextEncoder().encode(good),
      headers: { 'Content-Type': type },
    });
    expect(response.status).toBe(415);
    expect(await bodyOf(response)).toMatchObject({ code: 'unsupported_media_type' });
  });

  it('accepts application/json in any case and with a charset', async () => {
    expect(
      (
        await shortenAsVisitor({
          body: good,
          headers: { 'Content-Type': 'Application/JSON; charset=utf-8' },
        })
      ).status,
    ).toBe(201);
  });

  const stream = (chunks: number, size: number): ReadableStream<Uint8Array> => {
    let sent = 0;
    return new ReadableStream({
      pull(controller) {
        if (sent++ === chunks) controller.close();
        else controller.enqueue(new TextEncoder().encode('x'.repeat(size)));
      },
    });
  };

  it('[T28] returns 413 for 20 KB, with a declared length or in chunks', async () => {
    const padded = JSON.stringify({ longUrl: 'https://example.com', pad: 'x'.repeat(20_000) });
    expect((await shortenAsVisitor({ body: padded })).status).toBe(413);
    const chunked = await shortenAsVisitor({
      body: stream(20, 1024),
      duplex: 'half',
    } as RequestInit);
    expect(chunked.status).toBe(413);
    expect(await bodyOf(chunked)).toMatchObject({ code: 'body_too_large' });
  });

  it('[T28] accepts 16 KB and rejects one byte more', async () => {
    const frame = JSON.stringify({ longUrl: 'https://example.com', pad: '' });
    const sized = (bytes: number): string =>
      frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`);
    expect((await shortenAsVisitor({ body: sized(16 * 1024) })).status).toBe(201);
    expect((await shortenAsVisitor({ body: sized(16 * 1024 + 1) })).status).toBe(413);
  });

  it.each([
    ['POST', '/api/shorten/bulk', 262_144],
    ['POST', '/api/links/import/check', 262_144],
    ['POST', '/api/links/import', 262_144],
    ['POST', '/api/blogs-admin', 262_144],
    ['PATCH', '/api/blogs-admin/1', 262_144],
    ['POST', '/api/admin/blocklist', 262_144],
    ['POST', '/api/qr-presets', 49_152],
    ['PATCH', '/api/qr-presets/1', 49_152],
    ['POST', '/api/shorten/bulk', 262_144],
    ['POST', '/api/links/import/check', 262_144],
    ['POST', '/api/links/import', 262_144],
    ['POST', '/api/account/links', 262_144],
    ['POST', '/api/blogs-admin', 262_144],
    ['PATCH', '/api/blogs-admin/1', 262_144],
    ['POST', '/api/admin/blocklist', 262_144],
    ['POST', '/api/admin/app-links', 262_144],
    ['PUT', '/api/links/x/card', 425_984],
    ['POST', '/api/mcp', 262_144],
    ['PUT', '/api/v1/links/x/card', 425_984],
    ['POST', '/api/v1/links/bulk', 3_145_728],
    ['POST', '/api/v1/imports/check', 262_144],
    ['POST', '/api/v1/imports', 262_144],
    ['PATCH', '/api/links/x', 16_384],
  ])('[T28] %s %s accepts %i bytes and not one more', async (method, path, bytes) => {
    const isPublic = /^\/api\/(v1|mcp)/.test(path);
    const { headers } = isPublic ? await makeKey() : await makePerson({ role: 'admin' });
    const statusOf = async (size: number) =>
      (await call(path, { method, headers, json: 'x'.repeat(size - 2) })).status;
    expect([await statusOf(bytes), await statusOf(bytes + 1)]).toEqual([400, 413]);
  });

  it.each([
    ['no body', '', 'invalid_json'],
    ['half an object', '{"longUrl":', 'invalid_json'],
    ['a comment', '{/**/"longUrl":"https://example.com"}', 'invalid_json'],
    ['deep nesting', '['.repeat(16_000), 'invalid_json'],
    ['deep nesting that closes', '['.repeat(8000) + ']'.repeat(8000), 'invalid_body'],
    [
      'deep nesting in a member',
      `{"longUrl":${'{"a":'.repeat(2500)}1${'}'.repeat(2500)}}`,
      'invalid_body',
    ],
    ['null', 'null', 'invalid_body'],
    ['an array', '["https://example.com"]', 'invalid_body'],
    ['a number for the link', '{"longUrl":5}', 'invalid_body'],
    ['an object for the link', '{"longUrl":{"href":"https://example.com"}}', 'invalid_body'],
    ['a huge end', '{"longUrl":"https://example.com","expiresAt":1e400}', 'invalid_body'],
  ])('[T28] returns 400 for %s', async (_name, text, code) => {
    const response = await shortenAsVisitor({ body: text });
    expect(response.status).toBe(400);
    expect(await bodyOf(response)).toMatchObject({ code, error: expect.any(String) });
  });

  it('returns 400 for bytes that are not UTF-8', async () => {
    const response = await shortenAsVisitor({ body: new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]) });
    expect(await bodyOf(response)).toMatchObject({ code: 'invalid_json' });
    const inside = new TextEncoder().encode('{"longUrl":"https://example.com/?"}');
    inside[inside.indexOf(0x3f)] = 0xff;
    expect(await bodyOf(await shortenAsVisitor({ body: inside }))).toMatchObject({
      code: 'invalid_json',
    });
  });

  it('[T28] ignores __proto__ and constructor, and uses the last of repeated keys', async () => {
    const text =
      '{"__proto__":{"userId":"x","expiresAt":1},"constructor":{"prototype":{"polluted":1}},"longUrl":"https://one.example.com","longUrl":"https://two.example.com"}';
    const response = await shortenAsVisitor({ body: text });
    expect(response.status).toBe(201);
    expect(await bodyOf(response)).toMatchObject({ longUrl: 'https://two.example.com/' });
    expect(Object.prototype).not.toHaveProperty('polluted');
    expect(({} as Record<string, unknown>)['userId']).toBeUndefined();
  });

  it('[T28] a request body never causes a 5xx, whatever its JSON', async () => {
    const open = { LIMIT_VISITOR_LINKS: { limit: () => Promise.resolve({ success: true }) } };
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.json(),
          fc
            .record({ longUrl: fc.anything(), customCode: fc.anything() })
            .map((v) => JSON.stringify(v) ?? ''),
        ),
        async (text) => {
          expect((await shortenAsVisitor({ body: text }, open)).status).toBeLessThan(500);
        },
      ),
      { numRuns: 60, seed: 1 },
    );
  });
});

describe('host headers', () => {
  it('[T32] a short URL never has a host that the client sends', async () => {
    const forged = {
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'gopher',
      Forwarded: 'host=evil.example',
      'X-Original-URL': '/api/health',
      'X-HTTP-Method-Override': 'DELETE',
    };
    const created = await shortenAsVisitor({
      body: '{"longUrl":"https://example.com/host"}',
      headers: forged,
    });
    expect((await created.json<{ shortUrl: string }>()).shortUrl).toMatch(
      /^http:\/\/localhost:8787\/[A-Za-z0-9]{7}$/,
    );
  });
});

describe('any path', () => {
  it('no path causes a 5xx, and every error is JSON', async () => {
    const person = await makePerson();
    const known = fc.constantFrom(...Object.keys(ACCESS).map((rule) => rule.split(' ')[1] ?? ''));
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }).map((text) => encodeURIComponent(text)),
      fc.constantFrom(
        '%',
        '%zz',
        '%00',
        '%2e%2e',
        '..',
        '%2F',
        '%5c',
        '%E0%A4%A',
        "'--",
        '*',
        ':code',
        '%F0%9F',
      ),
    );
    const path = fc.oneof(
      fc.tuple(known, piece).map(([pattern, text]) => pattern.replaceAll(/:\w+/g, text)),
      fc.array(piece, { maxLength: 4 }).map((pieces) => `/api/${pieces.join('/')}`),
    );
    const method = fc.constantFrom(
      'GET',
      'HEAD',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'PROPFIND',
    );
    await fc.assert(
      fc.asyncProperty(path, method, fc.boolean(), async (at, verb, signedIn) => {
        if (at.includes('/api/auth/') || !new URL(at, ORIGIN).pathname.startsWith('/api/')) return;
        const response = await call(at, { method: verb, headers: signedIn ? person.headers : {} });
        expect(response.status).toBeLessThan(500);
        if (response.status >= 400 && verb !== 'HEAD')
          expect(await bodyOf(response)).toMatchObject({
            code: expect.any(String),
            error: expect.any(String),
          });
      }),
      { numRuns: 150, seed: 1 },
    );
  });
});
