import { describe, expect, it } from 'vitest';
import { call } from '#worker/testing/call.ts';
import { d1Down } from '#worker/testing/faults.ts';
import { env } from 'cloudflare:test';
import { takeWindow } from './counters.ts';

/** The requests that were counted since the last call, as `route status`. */
const requests = () =>
  takeWindow()
    .filter(({ name }) => name === 'http.server.request.duration')
    .flatMap(({ values, count }) => Array.from({ length: count }, () => values.join(' ')))
    .toSorted();

describe('the metrics of requests', () => {
  it('[T31] each request is counted by its route and status, without its address', async () => {
    takeWindow();
    for (const path of [
      '/Secret1',
      '/Secret1+',
      '/robots.txt',
      '/api/my-urls?q=secret',
      '/api/v1/me',
      'https://elsewhere.example/secret',
    ])
      await call(path);
    expect(requests()).toEqual(
      [
        '/api 401',
        '/api/v1 401',
        '/{code} 404',
        '/{code}+ 404',
        '/{page} 200',
        'other 421',
      ].toSorted(),
    );
  });

  it('a redirect is counted, from storage and then from memory', async () => {
    const made = await call('/api/shorten', { json: { longUrl: 'https://example.com/' } });
    const { shortUrl } = await made.json<{ shortUrl: string }>();
    takeWindow();
    const vars = { LINK_MEMORY_MS: '5000' };
    for (let i = 0; i < 3; i++) expect((await call(shortUrl, {}, vars)).status).toBe(302);
    const [series, ...others] = takeWindow().filter(({ name }) => name.startsWith('http'));
    expect(others).toEqual([]);
    expect(series).toMatchObject({ values: ['/{code}', '302'], count: 3 });
  });

  it('an answer of 503 and the failed call of D1 are counted', async () => {
    takeWindow();
    await call('/Unknown1', {}, { DB: d1Down(env.DB) });
    expect(takeWindow()).toMatchObject([
      { name: 'db.client.operation.duration', values: ['lookup', 'error'] },
      { name: 'http.server.request.duration', values: ['/{code}', '503'] },
    ]);
  });
});
