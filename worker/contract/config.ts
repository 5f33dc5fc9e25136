/** What the Worker tells the SPA at run time, inside the page it serves: `<script type="application/json" id="hop-config">`. */
export type SiteConfig = {
  siteName: string;
  appOrigin: string;
  shortOrigin: string;
  /** supabase-js is made with these: for the embedded sign-in the URL is the app's own origin + '/api'. */
  auth: { url: string; key: string; mode: 'embedded' | 'hosted' };
  billing: 'none' | 'demo';
  /** True where an ad network is configured; otherwise the slots show the house promotion. */
  ads: boolean;
  /** '' where no Turnstile key is set. */
  turnstileSiteKey: string;
  /** True on a developer's machine with DEV_MAILBOX=on: pages may point to /dev/mailbox. */
  devMailbox: boolean;
};

export const CONFIG_ELEMENT_ID = 'hop-config';
