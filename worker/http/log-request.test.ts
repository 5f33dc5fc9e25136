import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { call } from '#worker/testing/call.ts';
import { storeLink } from '#worker/testing/stored-links.ts';

let lines: string[] = [];
beforeEach(() => {
  lines = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
});
afterEach(() => {
  vi.restoreAllMocks();
});

const requests = () =>
  lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'request');

describe('LOG_SAMPLE_RATE', () => {
  it('logs every request at 1 and none at 0', async () => {
    const { code, target } = await storeLink();
    const response = await call(`/${code}`, {}, { LOG_SAMPLE_RATE: '1', CLICK_WINDOW_MS: '1' });
    expect([response.status, response.headers.get('Location')]).toEqual([302, target]);
    expect(requests()).toEqual([
      { event: 'request', method: 'GET', route: '/{code}', status: 302, ms: expect.any(Number) },
    ]);
    for (const rate of ['0', ''])
      await call(`/${code}`, {}, { LOG_SAMPLE_RATE: rate, CLICK_WINDOW_MS: '1' });
    expect(requests()).toHaveLength(1);
  });

  it('logs the share that it names', async () => {
    const random = vi.spyOn(Math, 'random');
    for (const value of [0.24, 0.25]) {
      random.mockReturnValue(value);
      await call('/api/health', {}, { LOG_SAMPLE_RATE: '0.25' });
    }
    expect(requests().map(({ route, status }) => [route, status])).toEqual([['/api/health', 200]]);
  });

  it('[T31] logs no code, address, query or token', async () => {
    const headers = { 'CF-Connecting-IP': '203.0.113.9', Authorization: 'Bearer secret-token' };
    for (const path of [
      '/s3cret-code?email=somebody@example.com',
      '/s3cret-code+',
      '/api/my-urls?q=somebody',
      '/blog/s3cret-post',
      '/api/links/s3cret-code/history',
    ])
      await call(path, { headers }, { LOG_SAMPLE_RATE: '1', CLICK_WINDOW_MS: '1' });
    expect(requests().map(({ route }) => route)).toEqual([
      '/{code}',
      '/{code}',
      '/api/my-urls',
      '/blog',
      '/api/links',
    ]);
    expect(
      requests().every((facts) => !/s3cret|somebody|203\.0|token/.test(JSON.stringify(facts))),
    ).toBe(true);
  });

  it('logs errors at any sampling rate', async () => {
    await call('/api/my-urls', {}, { LOG_SAMPLE_RATE: '0', AUTH_SECRET: '' });
    expect(lines.join()).toContain('auth_not_configured');
  });
});
