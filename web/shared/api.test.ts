import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api, ApiError } from './api.ts';
import { config } from './config.ts';
import { startSession, storageKey } from './session.ts';

beforeEach(() => {
  const stored = {
    access_token: 'token-of-u',
    expires_at: Date.now() / 1000 + 3600,
    refresh_token: 'r',
    user: { id: 'u', email: 'a@b.co' },
  };
  localStorage.setItem(storageKey(config.auth.url), JSON.stringify(stored));
  // Idle never comes in these tests: the sign-in client stays unloaded.
  vi.stubGlobal('requestIdleCallback', () => 0);
  startSession();
});
afterEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
});

test('a member’s call carries the bearer token and the id; a body is JSON', async () => {
  const mock = vi.fn<typeof fetch>(() => Promise.resolve(Response.json({ ok: true })));
  vi.stubGlobal('fetch', mock);
  expect(await api('/api/x', { method: 'POST', body: { a: 1 } })).toEqual({ ok: true });
  const init = mock.mock.calls[0]?.[1];
  const headers = new Headers(init?.headers);
  expect(headers.get('authorization')).toBe('Bearer token-of-u');
  expect(headers.get('x-user-id')).toBe('u');
  expect(headers.get('content-type')).toBe('application/json');
  expect(init?.body).toBe('{"a":1}');
});

test('a refusal keeps the server’s words; an answer that is no JSON has none', async () => {
  const body = { error: 'Taken.', code: 'alias_taken', requestId: 'r', field: 'customCode' };
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(body, { status: 409 })));
  const refused = await api('/api/x').catch((cause: unknown) => cause);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({ status: 409, message: 'Taken.', body });
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('<html>', { status: 502 })));
  expect(await api('/api/x').catch((cause: unknown) => cause)).toMatchObject({ status: 502, body: {} });
});

test('a network that fails is status 0; a call that was given up stays an abort', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  expect(await api('/api/x').catch((cause: unknown) => cause)).toMatchObject({ name: 'ApiError', status: 0 });
  const control = new AbortController();
  control.abort();
  const gone = new DOMException('gone', 'AbortError');
  vi.stubGlobal('fetch', () => Promise.reject(gone));
  expect(await api('/api/x', { signal: control.signal }).catch((cause: unknown) => cause)).toBe(gone);
});
