import type { AdPlace } from './paths.ts';

/**
 * The configuration that the Worker puts into every page for the SPA: `<script
 * type="application/json" id="hop-config">`.
 */
export type SiteConfig = {
  siteName: string;
  appOrigin: string;
  shortOrigin: string;
  /**
   * Parameters of supabase-js. For the embedded sign-in the URL is the app's own origin + '/api'.
   */
  auth: { url: string; key: string; mode: 'embedded' | 'hosted' };
  billing: 'none' | 'demo';
  /** The places that the ad network fills. The others show our own promotion. */
  networkAds: readonly AdPlace[];
  /** The address for support; '' if none is set. No page then mentions support. */
  supportEmail: string;
  /** '' if no Turnstile key is set. */
  turnstileSiteKey: string;
  /** True on a developer's machine with DEV_MAILBOX=on. Pages then link to /dev/mailbox. */
  devMailbox: boolean;
};

export const CONFIG_ELEMENT_ID = 'hop-config';
