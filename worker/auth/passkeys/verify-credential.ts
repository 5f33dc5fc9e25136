import { createHash, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import type { Assertion, Attestation } from './read-credential.ts';

/** What an answer of a browser must match. `rpId` is the application's host, without a port. */
export type Expected = { challenge: string; origin: string; rpId: string };

/** The key of a new passkey. `publicKey` is a JWK as JSON. */
export type NewKey = { credentialId: string; publicKey: string; counter: number };

const RSA_BITS = { min: 2048, max: 4096 };
/** The specification's limit. */
const CREDENTIAL_ID_MAX = 1023;

/**
 * Verifies a new passkey (Web Authentication §7.1), and returns its key; null if anything is wrong.
 * Attestation is not asked for, so any authenticator is accepted.
 */
export async function verifyAttestation(
  { id, clientDataJSON, attestationObject }: Attestation,
  expected: Expected,
): Promise<NewKey | null> {
  const library = await import('./library.ts');
  try {
    if (!isExpected(library, 'Create', clientDataJSON, expected)) return null;
    const { authenticatorData } = library.parseAttestationObject(attestationObject);
    const { credential, signatureCounter } = authenticatorData;
    if (!isVerified(authenticatorData, expected) || credential === null) return null;
    const credentialId = Buffer.from(credential.id).toString('base64url');
    if (credentialId !== id || credential.id.length > CREDENTIAL_ID_MAX) return null;
    const jwk = toJwk(library, credential.publicKey);
    if (jwk === null) return null;
    // Throws for a point that is not on the curve.
    createPublicKey({ key: jwk, format: 'jwk' });
    return { credentialId, publicKey: JSON.stringify(jwk), counter: signatureCounter };
  } catch {
    return null;
  }
}

/**
 * Verifies a use of a passkey (Web Authentication §7.2), and returns the new signature counter; null
 * if anything is wrong. The caller compares the counter with the stored one.
 */
export async function verifyAssertion(
  { clientDataJSON, authenticatorData, signature }: Assertion,
  publicKey: string,
  expected: Expected,
): Promise<number | null> {
  const library = await import('./library.ts');
  try {
    if (!isExpected(library, 'Get', clientDataJSON, expected)) return null;
    const data = library.parseAuthenticatorData(authenticatorData);
    if (!isVerified(data, expected)) return null;
    const key: JsonWebKey = JSON.parse(publicKey);
    const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)]);
    const isSigned = verify('sha256', signed, { key, format: 'jwk' }, signature);
    return isSigned ? data.signatureCounter : null;
  } catch {
    return null;
  }
}

/**
 * True if the signature counter has not grown: then the key may have been copied. Passkeys that
 * are synced between devices count nothing.
 */
export const isCounterBehind = (stored: number, presented: number): boolean =>
  (stored > 0 || presented > 0) && presented <= stored;

type Library = typeof import('./library.ts');

function isExpected(
  { parseClientDataJSON, ClientDataType }: Library,
  type: keyof typeof ClientDataType,
  clientDataJSON: Uint8Array,
  { challenge, origin }: Expected,
): boolean {
  const data = parseClientDataJSON(clientDataJSON);
  const wanted = Buffer.from(challenge, 'base64url');
  return (
    data.type === ClientDataType[type] &&
    data.challenge.length === wanted.length &&
    timingSafeEqual(data.challenge, wanted) &&
    data.origin === origin &&
    data.crossOrigin !== true
  );
}

type Facts = { relyingPartyIdHash: Uint8Array; userPresent: boolean; userVerified: boolean };

const isVerified = (
  { relyingPartyIdHash, userPresent, userVerified }: Facts,
  { rpId }: Expected,
): boolean =>
  timingSafeEqual(relyingPartyIdHash, sha256(Buffer.from(rpId))) && userPresent && userVerified;

type Key = ReturnType<Library['parseAuthenticatorData']>['credential'] & object;

/** Null for a key that we did not ask for. */
function toJwk(library: Library, key: Key['publicKey']): JsonWebKey | null {
  const algorithm = key.isAlgorithmDefined() ? key.algorithm() : null;
  if (algorithm === library.coseAlgorithmES256 && key.type() === library.COSEKeyType.EC2) {
    const { curve, x, y } = key.ec2();
    if (curve !== library.coseEllipticCurveP256) return null;
    return { kty: 'EC', crv: 'P-256', x: toBase64Url(x, 32), y: toBase64Url(y, 32) };
  }
  if (algorithm !== library.coseAlgorithmRS256 || key.type() !== library.COSEKeyType.RSA)
    return null;
  const { n, e } = key.rsa();
  const bits = n.toString(2).length;
  if (bits < RSA_BITS.min || bits > RSA_BITS.max) return null;
  return { kty: 'RSA', n: toBase64Url(n), e: toBase64Url(e) };
}

/** Big-endian, padded with zeros to `bytes`. */
function toBase64Url(value: bigint, bytes = 0): string {
  const hex = value.toString(16);
  const padded = hex.padStart(Math.max(bytes * 2, hex.length + (hex.length % 2)), '0');
  return Buffer.from(padded, 'hex').toString('base64url');
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
