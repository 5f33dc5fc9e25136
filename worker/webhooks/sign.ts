import { createHmac } from 'node:crypto';
import { deriveKey } from '#worker/secrets/keyed-hash.ts';

/** The secrets of an endpoint, as its row names them. */
export type SecretSalts = {
  id: string;
  salt: string;
  previous_salt: string | null;
  previous_until: number | null;
};

/**
 * The secret of an endpoint, from AUTH_SECRET and a random salt: a copy of the database alone
 * forges no signature. It starts with `whsec_`, as Standard Webhooks has it.
 */
export const secretOf = (authSecret: string, endpointId: string, salt: string): string =>
  `whsec_${keyOf(authSecret, endpointId, salt).toString('base64')}`;

const keyOf = (authSecret: string, endpointId: string, salt: string): Buffer =>
  createHmac('sha256', deriveKey(authSecret, 'webhook')).update(`${endpointId} ${salt}`).digest();

/** A request to sign: its id, its body, and when it is sent, in ms. */
export type SignedContent = { messageId: string; body: string; now: number };

/**
 * The headers that prove who sent a request (https://www.standardwebhooks.com). During a rotation
 * it is signed with both secrets, and a receiver accepts either.
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
