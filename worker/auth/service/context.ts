import type { Db } from '#worker/db/client.ts';
import { networksOf } from '#worker/redirect/network-limit.ts';
import type { Mailer } from '#worker/mail/mailer.ts';
import { readAuthSettings, type AuthSettings } from './settings.ts';

/**
 * What the use cases of the sign-in service know about a request. `hashers` hash passwords; null
 * hashes them in this isolate. `network` is the caller's IPv4 address or IPv6 /64; `site` is the
 * /48 around an IPv6 network, and '' for IPv4. The database stores only keyed hashes of both.
 * `userAgent` and `country` are '' if unknown. `now` is in ms since 1970.
 */
export type AuthContext = {
  db: Db;
  settings: AuthSettings;
  hashers: Env['PASSWORD_HASHERS'] | null;
  network: string;
  site: string;
  userAgent: string;
  country: string;
  now: number;
};

/** Throws 500 if AUTH_SECRET is missing. */
export function createAuthContext(env: Env, db: Db, request: Request, now: number): AuthContext {
  const country = request.cf?.['country'];
  return {
    db,
    settings: readAuthSettings(env, request.url),
    hashers: env.PASSWORD_HASHERS,
    ...networksOf(request),
    userAgent: request.headers.get('User-Agent') ?? '',
    country: typeof country === 'string' ? country : '',
    now,
  };
}

export type MailContext = AuthContext & { mailer: Mailer };
