import { pageAfterSignIn } from '#contract/paths.ts';

/** What the link of a sign-in mail brings to /auth/confirm. `next`: the page that the person goes to afterwards. */
export type MailLink = { type: 'signup' | 'recovery'; tokenHash: string; next: string };

/** Members of a fragment that give somebody an account, in our links or in those of other sign-in flows. */
const SECRETS = ['token_hash', 'access_token', 'refresh_token', 'provider_token'];

/** True where the fragment of the address holds something that must not stay in the address bar or in the history. */
export function containsToken(hash: string): boolean {
  const fragment = new URLSearchParams(hash.slice(1));
  return SECRETS.some((name) => fragment.has(name));
}

/** The link in a fragment (`#type=…&token_hash=…&next=…`); null where it is incomplete. */
export function parseMailLink(hash: string, origin: string): MailLink | null {
  const fragment = new URLSearchParams(hash.slice(1));
  return parse({ type: fragment.get('type'), tokenHash: fragment.get('token_hash'), next: fragment.get('next') }, origin);
}

/** The link that `parseMailLink` read before, as the history keeps it for a reload; null where it keeps none. */
export function mailLinkFromState(state: unknown, origin: string): MailLink | null {
  if (typeof state !== 'object' || state === null || !('mailLink' in state)) return null;
  const { mailLink } = state;
  if (typeof mailLink !== 'object' || mailLink === null) return null;
  return parse(mailLink, origin);
}

function parse(given: { type?: unknown; tokenHash?: unknown; next?: unknown }, origin: string): MailLink | null {
  const { type, tokenHash, next } = given;
  if ((type !== 'signup' && type !== 'recovery') || typeof tokenHash !== 'string') return null;
  if (!/^[\w-]{1,256}$/.test(tokenHash)) return null;
  return { type, tokenHash, next: pageAfterSignIn(typeof next === 'string' ? next : null, origin) };
}
