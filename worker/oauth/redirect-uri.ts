import { isLoopback } from '#worker/http/origins.ts';
import { checkTarget, type TargetPolicy } from '#worker/safety/target.ts';

const REDIRECT_MAX = 500;

/**
 * True for an address that an app may register: https on a host that a link may lead to, which is
 * no host of ours and no shortener, or http on the member's own device (RFC 8252 §7.3).
 */
export function isRedirectUri(uri: string, policy: TargetPolicy): boolean {
  const url = URL.parse(uri);
  if (url === null || uri.length > REDIRECT_MAX || url.username !== '' || url.password !== '')
    return false;
  // A fragment would hide the code from the app (RFC 6749 §3.1.2).
  if (uri.includes('#')) return false;
  if (url.protocol === 'http:') return isLoopback(uri);
  return url.protocol === 'https:' && checkTarget(uri, policy).ok;
}

/**
 * True if an app has registered this redirect URI. It must be the same text. On loopback the port
 * may differ, because an app listens at any free one (RFC 8252 §7.3).
 */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  return registered.some((known) => known === uri || isSameButPort(known, uri));
}

function isSameButPort(known: string, uri: string): boolean {
  const [a, b] = [URL.parse(known), URL.parse(uri)];
  if (a === null || b === null || a.protocol !== 'http:') return false;
  a.port = b.port;
  return isLoopback(uri) && a.href === b.href;
}
