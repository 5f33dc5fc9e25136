import { afterEach, expect, it, vi } from 'vitest';
import { serveRoutes } from '#web/testing/serve-routes.ts';
import { finishConnection } from './sso-connection.ts';

afterEach(() => vi.unstubAllGlobals());

it('a connection is finished with what this tab has kept, once', async () => {
  sessionStorage.setItem('hop-connect-verifier', 'ours');
  const calls = serveRoutes({ 'POST /api/auth/v1/user/identities': {} });
  await finishConnection('once');
  expect(calls[0]?.body).toEqual({ auth_code: 'once', code_verifier: 'ours' });
  expect(sessionStorage).toHaveLength(0);
});
