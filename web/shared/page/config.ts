import { CONFIG_ELEMENT_ID, type SiteConfig, STAND_INS } from '#contract/pages/page-templates.ts';
import { DEFAULT_PRICE } from '#contract/plans/prices.ts';
import { SITE_NAME } from '#contract/site.ts';

/**
 * Returns the defaults: the embedded sign-in on the page's origin, no billing, no ad network, no
 * support, no captcha.
 */
function defaults(origin: string): SiteConfig {
  return {
    siteName: SITE_NAME,
    appOrigin: origin,
    shortOrigin: origin,
    auth: { url: `${origin}/api`, key: 'embedded', mode: 'embedded', sso: null, passwords: true },
    billing: 'none',
    prices: [DEFAULT_PRICE],
    networkAds: [],
    supportEmail: '',
    operator: { name: '', address: '', email: '' },
    services: { reputation: '', copies: '' },
    sendsMail: false,
    turnstileSiteKey: '',
    devMailbox: false,
  };
}

/**
 * Reads the configuration that the Worker embedded in the page. Missing or invalid members get
 * their defaults.
 */
export function readConfig(page: Document, origin: string): SiteConfig {
  const text = page.getElementById(CONFIG_ELEMENT_ID)?.textContent ?? '{}';
  try {
    const embedded: Partial<SiteConfig> = JSON.parse(text);
    return { ...defaults(origin), ...embedded };
  } catch {
    return defaults(origin);
  }
}

/**
 * The configuration while the build renders pages. Every deployment serves the same pages, so the
 * Worker replaces these values.
 */
const buildConfig = (): SiteConfig => ({
  ...defaults(STAND_INS.appOrigin),
  shortOrigin: `https://${STAND_INS.shortHost}`,
  prices: [
    {
      currency: DEFAULT_PRICE.currency,
      free: STAND_INS.priceFree,
      month: STAND_INS.priceMonth,
      year: STAND_INS.priceYear,
      saving: null,
    },
  ],
  supportEmail: STAND_INS.supportEmail,
  operator: {
    name: STAND_INS.operatorName,
    address: STAND_INS.operatorAddress,
    email: STAND_INS.operatorEmail,
  },
  services: { reputation: STAND_INS.reputationHost, copies: STAND_INS.copiesHost },
});

export const config: SiteConfig = import.meta.env.SSR
  ? buildConfig()
  : readConfig(document, window.location.origin);

/** Returns the host of short links without the scheme. */
export const shortHost = (): string => new URL(config.shortOrigin).host;
