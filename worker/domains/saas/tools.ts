import { authSecret } from '#worker/auth/service/settings.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { createLookUp, type LookUp } from '#worker/domains/proof/resolvers.ts';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { createPlatform, type Platform } from './platform.ts';
import { readSaasSettings, type SaasSettings } from './settings.ts';

/** What the use cases of members' domains need. `secret` is AUTH_SECRET. */
export type SaasTools = {
  db: Db;
  settings: SaasSettings;
  platform: Platform;
  lookUp: LookUp;
  secret: string;
};

/** Null where members cannot bring domains. */
export function saasTools(
  env: Env,
  db: Db = openDb(env.DB),
  fetcher: FetchFunction = fetch,
): SaasTools | null {
  const settings = readSaasSettings(env);
  if (settings === null) return null;
  return {
    db,
    settings,
    platform: createPlatform(settings, fetcher),
    lookUp: createLookUp(settings.dohUrls, fetcher),
    secret: authSecret(env),
  };
}
