import type { AuthorizationServer, Client } from 'oauth4webapi';
import { isMetadata } from '#worker/auth/service/user-json.ts';
import type { OidcSettings } from '#worker/auth/service/oidc-settings.ts';
import { keyedHash } from '#worker/secrets/keyed-hash.ts';
import { describeFault } from './describe-fault.ts';
import { keysOf, loadLibrary, type Library, type Provider } from './provider.ts';
import type { SsoFailure } from '#contract/sign-in/sso.ts';
import { fail, type Failed } from './reasons.ts';

/** OpenID Connect Core §2. */
const SUBJECT_MAX = 255;

/** What the provider says about a person. Nothing else of its answer is kept. */
export type Claims = {
  subject: string;
  /** Lower case; '' if the provider sent none. */
  email: string;
  isEmailVerified: boolean;
  inAdminGroup: boolean;
};

/** The person's way to the provider and back. `redirectUri` is our callback. */
export type Trip = { state: string; redirectUri: string; secret: string };

/**
 * The nonce and the verifier of a trip are derived from its state, so that the database holds
 * neither. Nobody can compute them without AUTH_SECRET.
 */
const nonceOf = ({ secret, state }: Trip): string => keyedHash(secret, 'oidc-nonce', state);
const verifierOf = ({ secret, state }: Trip): string => keyedHash(secret, 'oidc-verifier', state);

/** The provider's page for a sign-in. */
export async function authorizationUrl(
  { server }: Provider,
  settings: OidcSettings,
  trip: Trip,
): Promise<string> {
  const library = await loadLibrary();
  const url = new URL(server.authorization_endpoint ?? '');
  const query = {
    client_id: settings.clientId,
    response_type: 'code',
    redirect_uri: trip.redirectUri,
    scope: settings.scopes,
    state: trip.state,
    nonce: nonceOf(trip),
    code_challenge: await library.calculatePKCECodeChallenge(verifierOf(trip)),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Redeems the code of a callback and verifies everything about the ID token: signature, issuer,
 * audience, times, nonce. Reads the userinfo where the token lacks the address or the groups.
 */
export async function askProvider(
  provider: Provider,
  settings: OidcSettings,
  trip: Trip,
  callback: URLSearchParams,
): Promise<{ ok: true; value: Claims } | Failed> {
  const library = await loadLibrary();
  const { server, options } = provider;
  const client: Client = { client_id: settings.clientId, [library.clockTolerance]: 30 };
  let stage: SsoFailure = 'response_invalid';
  try {
    const parameters = library.validateAuthResponse(server, client, callback, trip.state);
    stage = 'code_rejected';
    const response = await library.authorizationCodeGrantRequest(
      server,
      client,
      clientAuthentication(library, server, settings),
      parameters,
      trip.redirectUri,
      verifierOf(trip),
      options,
    );
    if (response.ok) stage = 'id_token_invalid';
    const tokens = await library.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonceOf(trip),
      requireIdToken: true,
    });
    await library.validateApplicationLevelSignature(server, response, {
      ...options,
      [library.jwksCache]: keysOf(settings.issuer),
    });
    const token = library.getValidatedIdTokenClaims(tokens);
    // The library accepts an empty subject, which would be the same person for everybody.
    if (token === undefined || token.sub === '' || token.sub.length > SUBJECT_MAX)
      return fail('id_token_invalid', 'no usable sub');
    stage = 'userinfo_invalid';
    const info = needsUserInfo(token, server, settings)
      ? await readUserInfo(provider, client, tokens.access_token, token.sub)
      : {};
    return { ok: true, value: toClaims(token, info, settings) };
  } catch (error) {
    const { isNetwork, detail } = describeFault(error);
    if (isNetwork) return fail('provider_unreachable', detail);
    const isRefusal = error instanceof library.AuthorizationResponseError;
    return fail(isRefusal ? 'provider_error' : stage, detail);
  }
}

/** The ID token of several providers carries no address; OpenID Connect Core §5.4 allows that. */
const needsUserInfo = (
  token: Record<string, unknown>,
  server: AuthorizationServer,
  { adminGroup }: OidcSettings,
): boolean =>
  server.userinfo_endpoint !== undefined &&
  (!hasVerdict(token) || (adminGroup !== '' && token['groups'] === undefined));

/** Entra sends `xms_edov` in place of `email_verified`. */
const hasVerdict = (claims: Record<string, unknown>): boolean =>
  claims['email'] !== undefined &&
  (claims['email_verified'] !== undefined || claims['xms_edov'] !== undefined);

async function readUserInfo(
  { server, options }: Provider,
  client: Client,
  accessToken: string,
  subject: string,
): Promise<Record<string, unknown>> {
  const library = await loadLibrary();
  const response = await library.userInfoRequest(server, client, accessToken, options);
  return library.processUserInfoResponse(server, client, subject, response);
}

function clientAuthentication(
  library: Library,
  server: AuthorizationServer,
  { clientSecret }: OidcSettings,
) {
  if (clientSecret === '') return library.None();
  // The default is `client_secret_basic` (RFC 8414 §2).
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic')
    ? library.ClientSecretBasic(clientSecret)
    : library.ClientSecretPost(clientSecret);
}

/**
 * The address and whether it is verified come from the same answer: otherwise an address of the one
 * could count as verified because of the other.
 */
function toClaims(
  token: Record<string, unknown> & { sub: string },
  info: Record<string, unknown>,
  { adminGroup }: OidcSettings,
): Claims {
  const source = hasVerdict(token) || info['email'] === undefined ? token : info;
  const { email } = source;
  const groups = token['groups'] ?? info['groups'];
  const list: unknown[] = Array.isArray(groups) ? groups : [];
  return {
    subject: token.sub,
    email: typeof email === 'string' ? email.trim().toLowerCase() : '',
    isEmailVerified: isVerified(source),
    inAdminGroup: adminGroup !== '' && list.includes(adminGroup),
  };
}

/** Only `true` counts. Entra writes its own claim in several ways. */
function isVerified(claims: Record<string, unknown>): boolean {
  const { email_verified: verdict, xms_edov: entra } = claims;
  if (verdict !== undefined) return verdict === true;
  return entra === true || entra === 1 || entra === '1' || entra === 'true';
}

/** Parses what `auth_flows` stores. Null for anything else. */
export function parseClaims(text: string): Claims | null {
  const value: unknown = JSON.parse(text);
  if (!isMetadata(value)) return null;
  const { subject, email, isEmailVerified, inAdminGroup } = value;
  if (typeof subject !== 'string' || typeof email !== 'string') return null;
  return {
    subject,
    email,
    isEmailVerified: isEmailVerified === true,
    inAdminGroup: inAdminGroup === true,
  };
}
