import { Hono, type Context } from 'hono';
import * as z from 'zod/mini';
import { APP_SCOPES, AUTHORIZE_PATH, clientMetadata, tokenForm } from '#contract/api/oauth.ts';
import { MCP_PATH } from '#contract/pages/paths.ts';
import { SITE_NAME } from '#contract/site.ts';
import { authSecret } from '#worker/auth/service/settings.ts';
import { requestContext, type ApiEnv } from '#worker/http/context.ts';
import { rateLimitNetwork } from '#worker/http/rate-limit.ts';
import { parseInput, readJson } from '#worker/http/validate.ts';
import { targetPolicy } from '#worker/safety/target-policy.ts';
import { OAUTH_ERRORS, type OauthError } from '#worker/messages/oauth.ts';
import { newClientId } from './client-id.ts';
import { oauthServer } from './oauth-server.ts';
import { exchangeCode } from './exchange-code.ts';
import { isRedirectUri } from './redirect-uri.ts';

type C = Context<ApiEnv>;

/** Routes for apps, which have no account and no secret: PKCE proves who asked for a code. */
export const oauthRoutes = new Hono<ApiEnv>();

oauthRoutes.get('/.well-known/oauth-authorization-server', (c) => {
  const { issuer } = oauthServer(c);
  return publicDocument(c, {
    issuer,
    authorization_endpoint: issuer + AUTHORIZE_PATH,
    token_endpoint: `${issuer}/api/oauth/token`,
    registration_endpoint: `${issuer}/api/oauth/register`,
    scopes_supported: APP_SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${issuer}/docs/api`,
  });
});

// RFC 9728 §3.1 puts the resource's path behind the name. Some apps look at the root only.
for (const path of ['', MCP_PATH])
  oauthRoutes.get(`/.well-known/oauth-protected-resource${path}`, (c) => {
    const { issuer } = oauthServer(c);
    return publicDocument(c, {
      resource: issuer + MCP_PATH,
      resource_name: SITE_NAME,
      authorization_servers: [issuer],
      scopes_supported: APP_SCOPES,
      bearer_methods_supported: ['header'],
      resource_documentation: `${issuer}/docs/api`,
    });
  });

const publicDocument = (c: C, document: Record<string, unknown>): Response =>
  c.json(document, 200, { 'Cache-Control': 'public, max-age=300' });

oauthRoutes.post('/api/oauth/register', async (c) => {
  await rateLimitNetwork(c.env, c.env.LIMIT_AUTH, 'oauth', c.req.raw);
  const parsed = parseInput(clientMetadata, readJson(c, z.unknown()));
  if (!parsed.ok) return oauthError(c, 'invalid_client_metadata');
  const { client_name, redirect_uris: redirectUris } = parsed.data;
  const policy = targetPolicy(requestContext(c));
  if (!redirectUris.every((uri) => isRedirectUri(uri, policy)))
    return oauthError(c, 'invalid_redirect_uri');
  const name = clientName(client_name ?? '') || new URL(redirectUris[0] ?? '').hostname;
  const clientId = newClientId(authSecret(c.env), { name, redirectUris });
  if (clientId === null) return oauthError(c, 'invalid_client_metadata');
  const registered = {
    client_id: clientId,
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  return c.json(registered, 201);
});

oauthRoutes.post('/api/oauth/token', async (c) => {
  await rateLimitNetwork(c.env, c.env.LIMIT_AUTH, 'oauth', c.req.raw);
  const body = c.get('body');
  const type = c.req.header('Content-Type') ?? '';
  if (!body.ok || !/^application\/x-www-form-urlencoded\b/i.test(type))
    return oauthError(c, 'invalid_request');
  const members = new URLSearchParams(body.text);
  const form = parseInput(tokenForm, Object.fromEntries(members));
  const isRepeated = [...members.keys()].some((name) => members.getAll(name).length > 1);
  if (members.get('grant_type') !== 'authorization_code')
    return oauthError(c, members.has('grant_type') ? 'unsupported_grant_type' : 'invalid_request');
  if (!form.ok || isRepeated) return oauthError(c, 'invalid_request');
  const redeemed = await exchangeCode(c.get('db'), oauthServer(c), form.data, c.get('now'));
  return redeemed.ok ? c.json(redeemed.token) : oauthError(c, redeemed.error);
});

const INVISIBLE = new RegExp(String.raw`[\p{Cc}\p{Cf}\p{Cs}]`, 'gu');

/**
 * The name that an app gives itself, as a name of a key: one line of 50 characters, without those
 * that hide or reorder others.
 */
const clientName = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(INVISIBLE, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^(.{50}).*/su, '$1');

const oauthError = (c: C, error: OauthError): Response =>
  c.json({ error, error_description: OAUTH_ERRORS[error] }, error === 'invalid_client' ? 401 : 400);
