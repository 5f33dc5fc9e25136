import { AD_PLACES, type AdPlace } from '#contract/paths.ts';

/** The ids with which the ad network's script fills one place. */
export type AdUnit = { client: string; slot: string };

/** The client id at Google AdSense, the network of ADS_CLIENT. Null if none is configured. */
export function adClient(env: Env): string | null {
  return /^ca-pub-\d{1,20}$/.test(env.ADS_CLIENT) ? env.ADS_CLIENT : null;
}

/**
 * The ad unit at `place`. Null if no network is configured or it has no unit there; the place then
 * shows our own promotion.
 */
export function adUnit(env: Env, place: AdPlace): AdUnit | null {
  const client = adClient(env);
  const slot = {
    home: env.ADS_SLOT_HOME,
    result: env.ADS_SLOT_RESULT,
    analytics: env.ADS_SLOT_ANALYTICS,
  }[place];
  return client !== null && /^\d{1,20}$/.test(slot) ? { client, slot } : null;
}

export const networkAdPlaces = (env: Env): AdPlace[] =>
  AD_PLACES.filter((place) => adUnit(env, place) !== null);

/** Google's certification authority id, the same in every site's ads.txt. */
const GOOGLE_CERTIFICATION_ID = 'f08c47fec0942fa0';

/** /ads.txt (IAB Tech Lab, Ads.txt 1.1): the one account that may sell this site's ads. */
export const adsTxt = (client: string): string =>
  `google.com, ${client.replace(/^ca-/, '')}, DIRECT, ${GOOGLE_CERTIFICATION_ID}\n`;
