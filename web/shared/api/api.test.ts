import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { signInAsMember } from '#web/testing/session.ts';
import { api, RequestError, apiIfChanged, apiPage, errorCode, errorField } from './api.ts';
import { currentSession, startSession } from '#web/shared/session/session.ts';

beforeEach(() => signInAsMember({ accessToken: 'old', email: 'u' }));
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
  // Reads the empty storage, so that the next test file starts as a visitor.
  startSession();
});

const tokenOf = (init: RequestInit | undefined): string | null =>
  new Headers(init?.headers).get('authorization');
const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (cause: unknown) => cause,
  );

describe('api', () => {
  it('sends the token, the user id and a JSON body', async () => {
    const mock = vi.fn<typeof fetch>(() => Promise.resolve(Response.json({ ok: true })));
    vi.stubGlobal('fetch', mock);
    expect(await api('/api/x', { method: 'POST', body: { a: 1 } })).toEqual({ ok: true });
    const init = mock.mock.calls[0]?.[1];
    expect(tokenOf(init)).toBe('Bearer old');
    expect(new Headers(init?.headers).get('x-user-id')).toBe('id of u');
    expect(new Headers(init?.headers).get('content-type')).toBe('application/json');
    expect(init?.body).toBe('{"a":1}');
  });

  it('throws the error of the server with its status, code and field', async () => {
    const body = { error: 'Taken.', code: 'alias_taken', requestId: 'r', field: 'customCode' };
    const headers = { 'retry-after': '7' };
    vi.stubGlobal('fetch', async () => Response.json(body, { status: 409, headers }));
    const error = await errorOf(api('/api/x'));
    expect(error).toBeInstanceOf(RequestError);
    expect(error instanceof RequestError && error.headers?.get('retry-after')).toBe('7');
    expect(error).toMatchObject({ status: 409, message: 'Taken.', body });
    expect([errorCode(error), errorField(error)]).toEqual(['alias_taken', 'customCode']);
  });

  it('throws its own message if the response is not an error of the API', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('<html>', { status: 502 })));
    const error = await errorOf(api('/api/x'));
    expect(error).toMatchObject({
      status: 502,
      body: {},
      message: 'The server returned an error. Try again in a minute.',
    });
    expect([errorCode(error), errorField(error)]).toEqual(['', '']);
    vi.stubGlobal('fetch', () =>
      Promise.resolve(Response.json({ error: { message: 'No.' } }, { status: 500 })),
    );
    expect(await errorOf(api('/api/x'))).toMatchObject({ status: 500, body: {} });
  });

  it('throws status 0 if no response arrives, and the abort of a cancelled call', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    const { signal } = new AbortController();
    for (const options of [{}, { signal }])
      expect(await errorOf(api('/api/x', options))).toMatchObject({
        name: 'RequestError',
        status: 0,
      });
    const controller = new AbortController();
    controller.abort();
    const abort = new DOMException('aborted', 'AbortError');
    vi.stubGlobal('fetch', () => Promise.reject(abort));
    expect(await errorOf(api('/api/x', { signal: controller.signal }))).toBe(abort);
  });
});

describe('requests of the API client', () => {
  it('a visitor sends neither token nor user id', async () => {
    localStorage.clear();
    startSession();
    const mock = vi.fn<typeof fetch>(() => Promise.resolve(Response.json({})));
    vi.stubGlobal('fetch', mock);
    await api('/api/x');
    expect([...new Headers(mock.mock.calls[0]?.[1]?.headers).keys()]).toEqual([]);
  });

  it('an empty response is null', async () => {
    vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }));
    expect(await api('/api/x', { method: 'DELETE' })).toBeNull();
  });

  it('a response that the page requested early answers reading only', async () => {
    window.hopResponses = { '/api/x': Promise.resolve(Response.json('early')) };
    vi.stubGlobal('fetch', async () => Response.json('late'));
    expect(await api('/api/x', { method: 'POST' })).toBe('late');
    expect(await api('/api/x')).toBe('early');
    expect(await api('/api/x')).toBe('late');
    window.hopResponses = { '/api/x': Promise.reject(new TypeError('Failed to fetch')) };
    expect(await errorOf(api('/api/x'))).toMatchObject({ name: 'RequestError', status: 0 });
  });

  it('a cancelled request is cancelled in the browser', async () => {
    const mock = vi.fn<typeof fetch>(() => Promise.resolve(Response.json({})));
    vi.stubGlobal('fetch', mock);
    const { signal } = new AbortController();
    await api('/api/x', { signal });
    expect(mock.mock.calls[0]?.[1]?.signal).toBe(signal);
  });
});

describe('api after a 401', () => {
  /**
   * The API only accepts the token `accepted`. The sign-in service answers a refresh with
   * `refresh`.
   */
  function serve(accepted: string, refresh: () => Response) {
    const calls: string[] = [];
    vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
      const url = input instanceof Request ? input.url : String(input);
      calls.push(
        url.includes('/auth/v1/')
          ? url.replace(/^.*\/auth\/v1/, 'auth').replace(/\?grant_type=.*/, '')
          : `api ${tokenOf(init)}`,
      );
      if (url.includes('/auth/v1/token')) return refresh();
      if (url.includes('/auth/v1/')) return new Response(null, { status: 204 });
      if (tokenOf(init) === `Bearer ${accepted}`) return Response.json({ ok: true });
      return Response.json(
        { error: 'Sign in first.', code: 'unauthenticated', requestId: 'r' },
        { status: 401 },
      );
    });
    return calls;
  }
  const newSession = (accessToken: string) => () =>
    Response.json({
      access_token: accessToken,
      refresh_token: 'r2',
      token_type: 'bearer',
      expires_in: 3600,
      user: { id: 'id of u', email: 'u', app_metadata: {} },
    });

  it('refreshes the token and tries once more', async () => {
    const calls = serve('new', newSession('new'));
    expect(await api('/api/x')).toEqual({ ok: true });
    expect(calls).toEqual(['api Bearer old', 'auth/token', 'api Bearer new']);
  });

  it('throws the 401 if the new token is rejected too, without a third try', async () => {
    const calls = serve('another', newSession('new'));
    expect(await errorOf(api('/api/x'))).toMatchObject({ status: 401, message: 'Sign in first.' });
    expect(calls).toEqual(['api Bearer old', 'auth/token', 'api Bearer new']);
  });

  it('signs out this browser and throws the 401 if the session has ended', async () => {
    const calls = serve('new', () =>
      Response.json({ code: 'refresh_token_not_found', message: 'No.' }, { status: 400 }),
    );
    expect(await errorOf(api('/api/x'))).toMatchObject({ status: 401 });
    // The other sessions of the member stay.
    expect(calls).toEqual(['api Bearer old', 'auth/token', 'auth/logout?scope=local']);
    expect(currentSession().status).toBe('visitor');
  });

  it('the API client does not refresh for a visitor or for another status', async () => {
    const calls = serve('new', newSession('new'));
    localStorage.clear();
    startSession();
    expect(await errorOf(api('/api/x'))).toMatchObject({ status: 401 });
    expect(calls).toEqual(['api null']);

    signInAsMember({ accessToken: 'old', email: 'u' });
    const forbidden = vi.fn<typeof fetch>(() =>
      Promise.resolve(Response.json({ error: 'No.' }, { status: 403 })),
    );
    vi.stubGlobal('fetch', forbidden);
    expect(await errorOf(api('/api/x'))).toMatchObject({ status: 403 });
    expect(forbidden).toHaveBeenCalledTimes(1);
  });
});

describe('apiPage', () => {
  it('returns the path of the next page from the Link header', async () => {
    const headers = { link: '</api/blogs?cursor=5>; rel="next"' };
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json([1], { headers })));
    expect(await apiPage('/api/blogs')).toEqual({ body: [1], next: '/api/blogs?cursor=5' });
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json([2])));
    expect(await apiPage('/api/blogs')).toEqual({ body: [2], next: null });
  });

  it('ignores a link to another site', async () => {
    const headers = { link: '<https://evil.example/x>; rel="next"' };
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json([1], { headers })));
    expect(await apiPage('/api/blogs')).toMatchObject({ next: null });
  });
});

describe('apiIfChanged', () => {
  it('sends the ETag and returns the known object for a 304', async () => {
    const responses = [
      new Response('{"clicks":1}', { headers: { etag: '"one"' } }),
      new Response(null, { status: 304 }),
      new Response('{"clicks":2}', { headers: { etag: '"two"' } }),
    ];
    const sent: (string | null)[] = [];
    vi.stubGlobal('fetch', (_path: string, init: RequestInit) => {
      sent.push(new Headers(init.headers).get('if-none-match'));
      return Promise.resolve(responses.shift());
    });
    const first = await apiIfChanged<{ clicks: number }>('/api/x', undefined);
    const second = await apiIfChanged<{ clicks: number }>('/api/x', first);
    const third = await apiIfChanged<{ clicks: number }>('/api/x', second);
    expect(sent).toEqual([null, '"one"', '"one"']);
    expect(second).toBe(first);
    expect(third).toEqual({ body: { clicks: 2 }, etag: '"two"' });
  });

  it('sends no ETag if the server gave none', async () => {
    const mock = vi.fn<typeof fetch>(() => Promise.resolve(Response.json({})));
    vi.stubGlobal('fetch', mock);
    await apiIfChanged('/api/x', { body: {}, etag: '' }, { headers: { 'x-own': 'a' } });
    expect(new Headers(mock.mock.calls[0]?.[1]?.headers).get('x-own')).toBe('a');
    expect(new Headers(mock.mock.calls[0]?.[1]?.headers).has('if-none-match')).toBe(false);
  });
});

describe('a member’s request', () => {
  it('a request without a token stays here, because it would be a visitor’s', async () => {
    const mock = vi.fn<typeof fetch>(async () =>
      Response.json({ code: 'refresh_token_not_found', message: 'No.' }, { status: 400 }),
    );
    vi.stubGlobal('fetch', mock);
    signInAsMember({ accessToken: 'old', email: 'u', expiresInSeconds: -10 });
    const shorten = api('/api/shorten', { method: 'POST', body: {} });
    expect(await errorOf(shorten)).toMatchObject({
      status: 401,
      message: 'Your session has ended, so this was not sent.',
    });
    expect(mock.mock.calls.map(([url]) => url)).not.toContain('/api/shorten');
  });

  it('a request says that the browser was offline when it was sent', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    vi.spyOn(window.navigator, 'onLine', 'get').mockReturnValue(false);
    expect(await errorOf(api('/api/x'))).toMatchObject({
      status: 0,
      message: 'You’re offline. Try again when your connection is back.',
    });
    // A token is not renewed offline, which would take half a minute to fail.
    const mock = vi.fn<typeof fetch>(() => Promise.reject(new TypeError('Failed to fetch')));
    vi.stubGlobal('fetch', mock);
    signInAsMember({ email: 'u', expiresInSeconds: -10 });
    expect(await errorOf(api('/api/x'))).toMatchObject({ status: 0 });
    expect(mock).not.toHaveBeenCalled();
    signInAsMember({ email: 'u' });
    vi.restoreAllMocks();
    expect(await errorOf(api('/api/x'))).toMatchObject({
      message: 'We couldn’t reach the server. Check your connection and try again.',
    });
  });

  it('a request that lost its response does not say that the browser was offline', async () => {
    const online = vi.spyOn(window.navigator, 'onLine', 'get').mockReturnValue(true);
    vi.stubGlobal('fetch', () => {
      online.mockReturnValue(false);
      return Promise.reject(new TypeError('Failed to fetch'));
    });
    const error = await errorOf(api('/api/x', { method: 'POST', body: {} }));
    online.mockRestore();
    expect(error).toMatchObject({
      message: 'We couldn’t reach the server. Check your connection and try again.',
    });
  });
});
