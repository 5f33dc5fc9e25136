import { pageAfterSignIn } from '#contract/pages/paths.ts';

/**
 * The data in a mail's link to /auth/confirm. `next` is the page that opens afterwards. A `session`
 * link ends a session and signs nobody in.
 */
export type MailLink = {
  type: 'signup' | 'recovery' | 'session';
  tokenHash: string;
  next: string;
};

const TYPES = ['signup', 'recovery', 'session'] as const;

/**
 * Fragment members that grant access to an account, in this product's links and in those of other
 * sign-in flows.
 */
const TOKEN_NAMES = ['token_hash', 'access_token', 'refresh_token', 'provider_token'];

/**
 * True if the fragment contains a token, which must not stay in the address bar or in the history.
 */
export function containsToken(hash: string): boolean {
  const fragment = new URLSearchParams(hash.slice(1));
  return TOKEN_NAMES.some((name) => fragment.has(name));
}

/**
 * Parses the fragment of a mail's link (`#type=…&token_hash=…&next=…`). Returns null if it is
 * incomplete.
 */
export function parseMailLink(hash: string, origin: string): MailLink | null {
  const fragment = new URLSearchParams(hash.slice(1));
  return validate(
    {
      type: fragment.get('type'),
      tokenHash: fragment.get('token_hash'),
      next: fragment.get('next'),
    },
    origin,
  );
}

/**
 * Returns the link that the layout moved into the history's state, where it survives a reload; null
 * if there is none.
 */
export function mailLinkFromState(state: unknown, origin: string): MailLink | null {
  if (typeof state !== 'object' || state === null || !('mailLink' in state)) return null;
  const { mailLink } = state;
  if (typeof mailLink !== 'object' || mailLink === null) return null;
  return validate(mailLink, origin);
}

function validate(
  link: { type?: unknown; tokenHash?: unknown; next?: unknown },
  origin: string,
): MailLink | null {
  const { tokenHash, next } = link;
  const type = TYPES.find((one) => one === link.type);
  if (type === undefined || typeof tokenHash !== 'string') return null;
  if (!/^[\w-]{1,256}$/.test(tokenHash)) return null;
  return { type, tokenHash, next: pageAfterSignIn(typeof next === 'string' ? next : null, origin) };
}
