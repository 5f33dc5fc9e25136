import type { AppRequest, AuthorizeQuery, GrantRequest } from '#contract/api/oauth.ts';
import { DAY_MS } from '#contract/time.ts';
import { createAppKey } from '#worker/api-keys/app-keys.ts';
import type { Db } from '#worker/db/client.ts';
import { withoutTrailingDot } from '#worker/http/origins.ts';
import { findBlocked } from '#worker/safety/find-blocked.ts';
import { readClientId } from './client-id.ts';
import { bindingOf, isResource } from './code.ts';
import type { OauthServer } from './oauth-server.ts';
import { isRegistered } from './redirect-uri.ts';

export type RefusedReason =
  | 'unknown_app'
  | 'unknown_redirect'
  | 'other_resource'
  | 'app_on_blocklist';
type Checked =
  | { ok: true; request: AppRequest }
  /** Nobody is sent to an address that is not known to belong to the app (RFC 9700 §4.11.2). */
  | { ok: false; reason: RefusedReason };

/**
 * Returns what a member decides about. An invalid request is not sent back to the app as an error:
 * anybody can register an app, so the page would send people to any address.
 */
export async function checkRequest(
  db: Db,
  { secret, issuer }: OauthServer,
  query: AuthorizeQuery,
): Promise<Checked> {
  const client = readClientId(secret, query.client_id);
  if (client === null) return { ok: false, reason: 'unknown_app' };
  if (!isRegistered(query.redirect_uri, client.redirectUris))
    return { ok: false, reason: 'unknown_redirect' };
  if (!isResource(query.resource, issuer)) return { ok: false, reason: 'other_resource' };
  const { href, host, hostname } = new URL(query.redirect_uri);
  const isBlocked =
    (await findBlocked(db, [{ href, host: withoutTrailingDot(hostname) }])).size > 0;
  if (isBlocked) return { ok: false, reason: 'app_on_blocklist' };
  return {
    ok: true,
    request: {
      name: client.name,
      host,
      cancelUrl: answerUrl(query, issuer, { error: 'access_denied' }),
    },
  };
}

type Grant =
  | { ok: true; host: string; redirectTo: string }
  | { ok: false; reason: RefusedReason | 'too_many_keys' };

/**
 * Grants an app access: makes its API key, which gets a secret once the app redeems the code in
 * `redirectTo`.
 */
export async function grantAccess(
  db: Db,
  server: OauthServer,
  { userId, grant, now }: { userId: string; grant: GrantRequest; now: number },
): Promise<Grant> {
  const checked = await checkRequest(db, server, grant);
  if (!checked.ok) return checked;
  const { name, host } = checked.request;
  const app = {
    userId,
    name,
    host,
    scopes: grant.scopes,
    binding: bindingOf(grant.client_id, grant.redirect_uri, grant.code_challenge),
    expiresAt: now + grant.days * DAY_MS,
  };
  const code = await createAppKey(db, app, now);
  if (code === null) return { ok: false, reason: 'too_many_keys' };
  return { ok: true, host, redirectTo: answerUrl(grant, server.issuer, { code }) };
}

/** The redirect URI with an answer, the app's own state, and who answers (RFC 9207). */
function answerUrl(
  { redirect_uri, state }: AuthorizeQuery,
  issuer: string,
  answer: Record<string, string>,
): string {
  const url = new URL(redirect_uri);
  const members = { ...answer, ...(state === undefined ? {} : { state }), iss: issuer };
  for (const [name, value] of Object.entries(members)) url.searchParams.append(name, value);
  return url.href;
}
