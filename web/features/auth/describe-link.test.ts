import { afterEach, expect, it, vi } from 'vitest';
import { failure, serveRoutes } from '#web/testing/serve-routes.ts';
import { fetchLinkDescription } from './describe-link.ts';

afterEach(() => vi.unstubAllGlobals());

const describeSignUp = () =>
  fetchLinkDescription({ type: 'signup', tokenHash: 'x' }, new AbortController().signal);

it.each([
  {},
  { type: 'signup', email: 'a@example.com' },
  { type: 'other', email: 'a@example.com', keeps_password: true },
  { type: 'signup', email: 1, keeps_password: true },
])('the description %j counts as unavailable', async (body) => {
  serveRoutes({ 'POST /api/auth/v1/verify/describe': body });
  expect(await describeSignUp()).toEqual({ ok: false, reason: 'unavailable' });
});

it.each([
  [403, 'invalid'],
  [429, 'unavailable'],
  [499, 'invalid'],
  [500, 'unavailable'],
])('the answer %i means that the link is %s', async (status, reason) => {
  serveRoutes({ 'POST /api/auth/v1/verify/describe': failure(status, 'No.') });
  expect(await describeSignUp()).toEqual({ ok: false, reason });
});

it('a description that does not come may come later', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  expect(await describeSignUp()).toEqual({ ok: false, reason: 'unavailable' });
});
