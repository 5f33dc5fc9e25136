import { createHmac } from 'node:crypto';
import { deriveKey } from '#worker/secrets/keyed-hash.ts';

/** The columns of an endpoint from which its secrets are derived. */
export type SecretSalts = {
  id: string;
  salt: string;
  previous_salt: string | null;
  previous_until: number | null;
};

/**
 * Derives the secret of an endpoint from AUTH_SECRET and a random salt, so that nobody can forge a
 * signature with a copy of the database alone. The prefix `whsec_` follows Standard Webhooks.
 */
export const secretOf = (authSecret: string, endpointId: string, salt: string): string =>
  `whsec_${keyOf(authSecret, endpointId, salt).toString('base64')}`;

const keyOf = (authSecret: string, endpointId: string, salt: string): Buffer =>
  createHmac('sha256', deriveKey(authSecret, 'webhook')).update(`${endpointId} ${salt}`).digest();

/** A request to sign. `now` is when it is sent, in ms. */
export type SignedContent = { messageId: string; body: string; now: number };

/**
 * Returns the headers that prove the sender of a request (https://www.standardwebhooks.com). During
 * a rotation they contain signatures with both secrets, and a receiver accepts either.
 */
export function signatureHeaders(
  authSecret: string,
  { id, salt, previous_salt, previous_until }: SecretSalts,
  { messageId, body, now }: SignedContent,
): Record<string, string> {
  const seconds = String(Math.floor(now / 1000));
  const overlaps = previous_salt !== null && previous_until !== null && previous_until > now;
  const salts = overlaps ? [salt, previous_salt] : [salt];
  const signatures = salts.map((one) => {
    const mac = createHmac('sha256', keyOf(authSecret, id, one)).update(
      `${messageId}.${seconds}.${body}`,
    );
    return `v1,${mac.digest('base64')}`;
  });
  return {
    'webhook-id': messageId,
    'webhook-timestamp': seconds,
    'webhook-signature': signatures.join(' '),
  };
}
