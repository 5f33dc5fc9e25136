import { afterEach, expect, it, vi } from 'vitest';
import { serveRoutes } from '#web/testing/serve-routes.ts';
import { providerName, readHostedWays, USUAL_WAYS } from './hosted-ways.ts';

afterEach(() => vi.unstubAllGlobals());

it.each([
  [
    {
      external: { google: true, github: true, kakao: false, email: false, anonymous_users: true },
      disable_signup: true,
    },
    { closed: true, email: false, providers: ['google', 'github'] },
  ],
  [{ external: { email: true, phone: true } }, USUAL_WAYS],
  [{}, USUAL_WAYS],
])('the settings %j offer %j', async (settings, ways) => {
  serveRoutes({ 'GET /api/auth/v1/settings': settings });
  expect(await readHostedWays()).toEqual(ways);
});

it('an answer that holds no settings offers what is usual', async () => {
  serveRoutes({ 'GET /api/auth/v1/settings': Response.json(null) });
  expect(await readHostedWays()).toEqual(USUAL_WAYS);
});

it('names providers as their companies do', () => {
  expect(['github', 'google', 'linkedin_oidc'].map(providerName)).toEqual([
    'GitHub',
    'Google',
    'LinkedIn',
  ]);
});
