import { pageAfterSignIn } from '#contract/pages/paths.ts';
import {
  parseEmail,
  readSignUpSecretHash,
  readString,
  type Body,
} from '#worker/auth/service/body.ts';
import { AuthError } from '#worker/auth/service/errors.ts';
import type { LinkKind } from '#worker/auth/service/store.ts';
import { hashToken } from '#worker/secrets/one-time-secret.ts';
import { confirmPageUrl } from './mail-link.ts';
import type { PresentedLink } from './link-store.ts';
import type { PresentedCode } from './redeem.ts';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * Returns where GET /verify, the link format of other clients, redirects to. The page redeems the
 * link only when its button is pressed, because mail scanners open every link and a URL must never
 * contain a session.
 */
export function confirmPageOf(appOrigin: string, query: Record<string, string>): string {
  const token = query['token'] || query['token_hash'] || '';
  const type = query['type'];
  return confirmPageUrl(
    appOrigin,
    type === 'signup' || type === 'recovery' ? type : null,
    TOKEN.test(token) ? token : null,
    pageAfterSignIn(query['redirect_to'] ?? null, appOrigin),
  );
}

/**
 * The kinds of link that a `type` may name. Empty for types that the client knows and this service
 * never sends.
 */
const KINDS: Readonly<Record<string, LinkKind[]>> = {
  signup: ['signup'],
  recovery: ['recovery'],
  magiclink: ['recovery'],
  email: ['signup', 'recovery'],
  invite: [],
  email_change: [],
};

function kindsOf(type: string): LinkKind[] {
  const kinds = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  if (kinds === undefined) throw new AuthError('verify_type_unknown');
  return kinds;
}

/**
 * A page presents the link in a notice as a recovery. Codes have no such kind, because a notice
 * contains no code.
 */
const kindsOfLink = (type: string): LinkKind[] =>
  type === 'recovery' ? ['recovery', 'secure'] : kindsOf(type);

/**
 * Reads the body of POST /verify: a link's token (`token_hash` and `type`), or an address with its
 * 6-digit code.
 */
export function readVerification(body: Body): PresentedLink | PresentedCode {
  const type = readString(body, 'type');
  const code = readString(body, 'token');
  const token = readString(body, 'token_hash');
  const email = readString(body, 'email');
  const secretHash = readSignUpSecretHash(body);
  if (type === '') throw new AuthError('verify_needs_type');
  if ((code === '') === (token === '')) throw new AuthError('verify_needs_token');
  if (token !== '') {
    if (email !== '' || readString(body, 'phone') !== '' || readString(body, 'redirect_to') !== '')
      throw new AuthError('verify_hash_only');
    return { kinds: kindsOfLink(type), hash: hashToken(token), secretHash };
  }
  if (email === '') throw new AuthError('verify_needs_email');
  return { email: parseEmail(email), kinds: kindsOf(type), code: code.trim(), secretHash };
}

/** Reads the body of POST /verify/describe. */
export function readLink(body: Body): PresentedLink {
  const type = readString(body, 'type');
  const token = readString(body, 'token_hash');
  if (type === '') throw new AuthError('verify_needs_type');
  if (token === '') throw new AuthError('verify_needs_hash');
  return {
    kinds: kindsOfLink(type),
    hash: hashToken(token),
    secretHash: readSignUpSecretHash(body),
  };
}
