import { createHash } from 'node:crypto';
import type { TokenForm } from '#contract/api/oauth.ts';
import { redeemAppCode } from '#worker/api-keys/app-keys.ts';
import type { Db } from '#worker/db/client.ts';
import { readClientId } from './client-id.ts';
import { bindingOf, isResource } from './code.ts';
import type { OauthServer } from './oauth-server.ts';

/** The answer of success (RFC 6749 §5.1). The access token is an API key. */
type Token = {
  access_token: string;
  token_type: 'Bearer';
  /**
   * In seconds. Claude Code forgets a token without it
   * (https://github.com/anthropics/claude-code/issues/26281).
   */
  expires_in: number;
  scope: string;
};
type Redeemed =
  | { ok: true; token: Token }
  | { ok: false; error: 'invalid_client' | 'invalid_target' | 'invalid_grant' };

/** Exchanges the code of an app for an API key. */
export async function exchangeCode(
  db: Db,
  { secret, issuer }: OauthServer,
  form: TokenForm,
  now: number,
): Promise<Redeemed> {
  if (readClientId(secret, form.client_id) === null) return { ok: false, error: 'invalid_client' };
  if (!isResource(form.resource, issuer)) return { ok: false, error: 'invalid_target' };
  const challenge = createHash('sha256').update(form.code_verifier).digest('base64url');
  const binding = bindingOf(form.client_id, form.redirect_uri, challenge);
  const key = await redeemAppCode(db, form.code, binding, now);
  if (key === null) return { ok: false, error: 'invalid_grant' };
  return {
    ok: true,
    token: {
      access_token: key.secret,
      token_type: 'Bearer',
      expires_in: Math.floor((key.expiresAt - now) / 1000),
      scope: key.scopes,
    },
  };
}
