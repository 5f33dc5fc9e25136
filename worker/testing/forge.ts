import { SignJWT, exportSPKI, generateKeyPair, exportJWK } from 'jose';

const base64url = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

export function claimsOf(token: string): Record<string, unknown> {
  const part = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  const claims: Record<string, unknown> = JSON.parse(atob(part));
  return claims;
}

export const unsigned = (claims: Record<string, unknown>): string =>
  `${base64url({ alg: 'none', typ: 'JWT' })}.${base64url(claims)}.`;

export function altered(token: string, changes: Record<string, unknown>): string {
  const [head, , signature] = token.split('.');
  return `${head}.${base64url({ ...claimsOf(token), ...changes })}.${signature}`;
}

/**
 * Signs with HS256 and a public text as the secret. A verifier that lets the token choose the
 * algorithm accepts it.
 */
export const signedWithText = (
  claims: Record<string, unknown>,
  text: string,
  kid?: string,
): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', ...(kid === undefined ? {} : { kid }) })
    .sign(new TextEncoder().encode(text));

/** Signs with the attacker's key pair and puts the public key into the header. */
export async function signedWithOwnKey(
  claims: Record<string, unknown>,
  alg: 'ES256' | 'RS256',
  kid?: string,
): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  const header = {
    alg,
    typ: 'JWT',
    jwk,
    jku: 'https://evil.example/jwks.json',
    x5u: 'https://evil.example/x5u',
  };
  return new SignJWT(claims)
    .setProtectedHeader({ ...header, ...(kid === undefined ? {} : { kid }) })
    .sign(privateKey);
}

export async function somePublicPem(): Promise<string> {
  return exportSPKI((await generateKeyPair('RS256', { extractable: true })).publicKey);
}
