import type { Context } from 'hono';
import { authSecret } from '#worker/auth/service/settings.ts';
import type { ApiEnv } from '#worker/http/context.ts';

/** The secret that signs client ids, and the origin of the application, which is the issuer. */
export type OauthServer = { secret: string; issuer: string };

export const oauthServer = (c: Context<ApiEnv>): OauthServer => ({
  secret: authSecret(c.env),
  issuer: c.get('origins').app,
});
