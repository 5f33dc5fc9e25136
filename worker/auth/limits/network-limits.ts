import { keyedHash } from '#worker/secrets/keyed-hash.ts';
import type { AuthContext } from '#worker/auth/service/context.ts';
import type { Limit } from './counters.ts';

/** The limit of a /48 as a multiple of one network's, unless the caller chooses another factor. */
const SITE_FACTOR = 20;

/** A counter's key: the purpose in clear text, the value as a keyed hash. */
export const counterKey = (
  { settings }: Pick<AuthContext, 'settings'>,
  purpose: string,
  value: string,
): string => `auth:${purpose}:${keyedHash(settings.secret, `counter:${purpose}`, value)}`;

/**
 * An address and who uses it: the IPv4 network, or for IPv6 the whole /48. Otherwise the networks
 * of one customer together could reach the limit that an address has over all networks.
 */
export const pairOf = ({ network, site }: AuthContext, email: string): string =>
  `${email} ${site || network}`;

/**
 * The limit of the caller's network and, for IPv6, of the /48 around it: one customer of a provider
 * may hold a whole /48.
 */
export function networkLimits(
  context: AuthContext,
  purpose: string,
  max: number,
  windowMs: number,
  siteFactor = SITE_FACTOR,
): Limit[] {
  const network = { key: counterKey(context, purpose, context.network), max, windowMs };
  if (context.site === '') return [network];
  return [
    network,
    { key: counterKey(context, `${purpose}-site`, context.site), max: max * siteFactor, windowMs },
  ];
}
