import { describe, expect, it } from 'vitest';
import { call } from '#worker/testing/call.ts';

const HTTPS: Partial<Env> = { APP_ORIGIN: 'https://hop.example' };

describe('a request over plain http to a host with https', () => {
  it.each(['GET', 'HEAD'])('a %s is redirected with its path and query', async (method) => {
    const response = await call('http://hop.example/pricing?a=1', { method }, HTTPS);
    expect([response.status, response.headers.get('Location')]).toEqual([
      301,
      'https://hop.example/pricing?a=1',
    ]);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('a %s is rejected', async (method) => {
    const response = await call('http://hop.example/api/shorten', { method }, HTTPS);
    expect([response.status, response.headers.get('Location')]).toEqual([403, null]);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(await response.json()).toEqual({
      error: 'This address is served over https only. Send the request to https://hop.example.',
      code: 'forbidden',
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
    });
  });
});

describe('a request to a host that is not ours', () => {
  it.each([
    ['/x', 'text/html', 'text/plain; charset=utf-8'],
    ['/x', 'application/json', 'application/json; charset=utf-8'],
    ['/api', 'text/html', 'application/json; charset=utf-8'],
    ['/api/x', 'text/html', 'application/json; charset=utf-8'],
    ['/apix', 'text/html', 'text/plain; charset=utf-8'],
  ])('%s for %s is answered as %s', async (path, accept, type) => {
    const headers = { Accept: accept };
    const response = await call(`https://evil.example${path}`, { headers }, HTTPS);
    expect([response.status, response.headers.get('Content-Type')]).toEqual([421, type]);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(await response.text()).toContain('does not belong to this site');
  });

  it('says what is missing where no address is set', async () => {
    const response = await call('https://evil.example/', {}, { APP_ORIGIN: '', SHORT_ORIGIN: '' });
    expect(await response.text()).toBe(
      'This site has no address yet. Its operator sets it as APP_ORIGIN.\n',
    );
  });
});
