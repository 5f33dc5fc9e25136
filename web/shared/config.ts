import { CONFIG_ELEMENT_ID } from '#contract/config.ts';
import type { SiteConfig } from '#contract/config.ts';
import { SITE_NAME } from '#contract/site.ts';

/** What holds where the Worker said nothing: the embedded sign-in on the page's own origin. */
function defaults(origin: string): SiteConfig {
  return {
    siteName: SITE_NAME,
    appOrigin: origin,
    shortOrigin: origin,
    auth: { url: `${origin}/api`, key: 'embedded', mode: 'embedded' },
    billing: 'none',
    ads: false,
    turnstileSiteKey: '',
    devMailbox: false,
  };
}

/** Reads the configuration which the Worker wrote into the page; a member that is missing or unreadable takes its default. */
export function readConfig(page: Document, origin: string): SiteConfig {
  const text = page.getElementById(CONFIG_ELEMENT_ID)?.textContent ?? '{}';
  try {
    const given: Partial<SiteConfig> = JSON.parse(text);
    return { ...defaults(origin), ...given };
  } catch {
    return defaults(origin);
  }
}

export const config: SiteConfig = readConfig(document, window.location.origin);

/** The host people read in a short link, without its scheme. */
export const shortHost = (): string => new URL(config.shortOrigin).host;
