import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { vi } from 'vitest';
import { EMBEDDED } from './sign-in.ts';

export const ISSUER = 'https://login.acme.example';
export const WITH_PROVIDER = {
  ...EMBEDDED,
  OIDC_ISSUER: ISSUER,
  OIDC_CLIENT_ID: 'hop',
  OIDC_CLIENT_SECRET: 'hush',
  OIDC_NAME: 'Acme',
  OIDC_LINK_BY_EMAIL: 'verified',
} satisfies Partial<Env>;

/** How a provider may misbehave. */
export type Malice = {
  metadata?: Record<string, unknown>;
  /** Replaces claims of the ID token. */
  claims?: JWTPayload;
  /** Signs with a key that is not in its key set. */
  foreignKey?: boolean;
  alg?: 'RS256' | 'ES256' | 'HS256' | 'none';
  userinfo?: Record<string, unknown>;
  status?: number;
};

const generateKeyPairs = () =>
  Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256'), generateKeyPair('ES256')]);
/** Every provider of a file has the same keys, because generating them takes half a second. */
let keyPairs: ReturnType<typeof generateKeyPairs> | undefined;

type Granted = { nonce: string; challenge: string; claims: JWTPayload };

/**
 * A provider at the network's edge: it replaces `fetch`, signs real tokens, and checks the client's
 * secret, the code and its PKCE verifier. Restore `fetch` afterwards.
 */
export async function startProvider(malice: Malice = {}) {
  const [rsa, other, ec] = await (keyPairs ??= generateKeyPairs());
  const publicJwk = { ...(await exportJWK(rsa.publicKey)), kid: 'rsa', use: 'sig' };
  const ecJwk = { ...(await exportJWK(ec.publicKey)), kid: 'ec', use: 'sig' };
  const codes = new Map<string, Granted>();
  const requests: string[] = [];
  let subject: unknown;

  const idToken = async ({ nonce, claims }: Granted): Promise<string> => {
    const alg = malice.alg ?? 'RS256';
    const now = Math.floor(Date.now() / 1000);
    const payload = {
      iss: ISSUER,
      aud: 'hop',
      iat: now,
      exp: now + 300,
      nonce,
      ...claims,
      ...malice.claims,
    };
    const encode = (part: object): string =>
      Buffer.from(JSON.stringify(part)).toString('base64url');
    if (alg === 'none') return `${encode({ alg })}.${encode(payload)}.`;
    const keys = {
      RS256: malice.foreignKey === true ? other.privateKey : rsa.privateKey,
      ES256: ec.privateKey,
      // The public key as the key of an HMAC, the classic confusion of algorithms.
      HS256: new TextEncoder().encode(publicJwk.n ?? ''),
    };
    const kid = alg === 'ES256' ? 'ec' : 'rsa';
    return new SignJWT(payload).setProtectedHeader({ alg, kid }).sign(keys[alg]);
  };

  const token = async (headers: Headers, form: URLSearchParams): Promise<Response> => {
    const granted = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const verifier = new TextEncoder().encode(form.get('code_verifier') ?? '');
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', verifier));
    if (headers.get('Authorization') !== `Basic ${btoa('hop:hush')}`)
      return Response.json({ error: 'invalid_client' }, { status: 401 });
    if (granted === undefined || digest.toString('base64url') !== granted.challenge)
      return Response.json({ error: 'invalid_grant' }, { status: 400 });
    subject = granted.claims.sub;
    const id_token = await idToken(granted);
    return Response.json({ access_token: 'opaque', token_type: 'Bearer', id_token });
  };

  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    requests.push(pathname);
    if (malice.status !== undefined) return new Response('down', { status: malice.status });
    if (pathname === '/.well-known/openid-configuration')
      return Response.json({
        issuer: ISSUER,
        authorization_endpoint: `${ISSUER}/authorize`,
        token_endpoint: `${ISSUER}/token`,
        jwks_uri: `${ISSUER}/keys`,
        userinfo_endpoint: `${ISSUER}/userinfo`,
        end_session_endpoint: `${ISSUER}/logout`,
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
        ...malice.metadata,
      });
    if (pathname === '/keys') return Response.json({ keys: [publicJwk, ecJwk] });
    if (pathname === '/userinfo') return Response.json(malice.userinfo ?? { sub: subject });
    return token(request.headers, new URLSearchParams(await request.text()));
  });

  return {
    malice,
    requests,
    /**
     * The person signs in at the provider's page `authorize`. Returns the address that the browser
     * then opens.
     */
    signIn(authorize: string, claims: JWTPayload, changes: Record<string, string> = {}): string {
      const asked = new URL(authorize).searchParams;
      const code = crypto.randomUUID();
      codes.set(code, {
        nonce: asked.get('nonce') ?? '',
        challenge: asked.get('code_challenge') ?? '',
        claims,
      });
      const query = { code, state: asked.get('state') ?? '', iss: ISSUER, ...changes };
      return `${asked.get('redirect_uri')}?${new URLSearchParams(query).toString()}`;
    },
  };
}
