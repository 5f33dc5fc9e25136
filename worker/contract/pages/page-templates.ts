import type { AdPlace, PagePath } from './paths.ts';
import type { Price } from '#contract/plans/prices.ts';
import type { SsoConfig } from '#contract/sign-in/sso.ts';

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
  auth: {
    url: string;
    key: string;
    mode: 'embedded' | 'hosted';
    /** The company's provider; null without one. */
    sso: SsoConfig | null;
    /** False if only the provider signs people in. */
    passwords: boolean;
    /** The fewest characters of a new password. Only the embedded sign-in says it. */
    passwordMin?: number;
    /** Who may create an account: people of the provider, or nobody. Absent if everybody may. */
    signUp?: 'sso' | 'closed';
  };
  billing: 'none' | 'demo';
  /** What the plans cost, in each currency that the operator priced; the first one is shown first. */
  prices: readonly [Price, ...Price[]];
  /** The places that the ad network fills. The others show our own promotion. */
  networkAds: readonly AdPlace[];
  /** The address for support; '' if none is set. No page then mentions support. */
  supportEmail: string;
  /** Who runs the deployment, for Privacy and Terms; '' for what is not set. */
  operator: { name: string; address: string; email: string };
  /** The hosts of other companies that get data, where configured; '' for none. */
  services: { reputation: string; copies: string };
  /** True if mails are sent. */
  sendsMail: boolean;
  /** True if short links can be on other hosts than the deployment's own. */
  domains?: boolean;
  /** True if members can add domains of their own. */
  ownDomains?: boolean;
  /** '' if no Turnstile key is set. */
  turnstileSiteKey: string;
  /** True on a developer's machine with DEV_MAILBOX=on. Pages then link to /dev/mailbox. */
  devMailbox: boolean;
};

export const CONFIG_ELEMENT_ID = 'hop-config';

/**
 * The agreement between the build and the Worker about prerendered pages. The build renders each
 * page once, and puts everything that depends on a setting in a block. The Worker drops the blocks
 * that do not apply to its deployment and fills in what the build did not know.
 */

/** Rendered as a visitor sees them, with their whole text. */
const PUBLIC_PAGES = [
  '/',
  '/pricing',
  '/about',
  '/privacy',
  '/terms',
  '/docs/api',
  '/blogs',
  '/blog/:slug',
] as const satisfies PagePath[];
/** Rendered as a member sees them while their data loads. */
const MEMBER_PAGES = ['/dashboard', '/analytics/:code'] as const satisfies PagePath[];
export const PRERENDERED = [...PUBLIC_PAGES, ...MEMBER_PAGES] as const;
export type PrerenderedPage = (typeof PRERENDERED)[number];

export const isMemberPage = (page: PagePath): boolean =>
  MEMBER_PAGES.some((other) => other === page);

export const isPrerendered = (page: PagePath): page is PrerenderedPage =>
  PRERENDERED.some((other) => other === page);

export const hasPosts = (page: PagePath): boolean => page === '/blogs' || page === '/blog/:slug';

const fileName = (page: PagePath): string =>
  page === '/' ? 'home' : page.slice(1).replaceAll('/', '-').replace(':', '');

/**
 * The path of a page's built HTML, without '.html': `/pages/blog-slug`. Only the Worker can read
 * it.
 */
export const templatePath = (page: PrerenderedPage): string => `/pages/${fileName(page)}`;

/** The HTML of a page that is not prerendered: everything but its content. */
export const shellPath = (page: PagePath): string => `/shells/${fileName(page)}`;

/** The settings that affect parts of a prerendered page. */
export const PAGE_SETTINGS = {
  embedded: ({ auth }) => auth.mode === 'embedded',
  demo: ({ billing }) => billing === 'demo',
  yearly: ({ prices }) => prices[0].year !== null,
  priceChoice: ({ prices }) => prices.length > 1 || prices[0].year !== null,
  support: ({ supportEmail }) => supportEmail !== '',
  operator: ({ operator }) => operator.name !== '',
  address: ({ operator }) => operator.address !== '',
  contact: ({ operator }) => operator.email !== '',
  mail: ({ sendsMail }) => sendsMail,
  ownDomains: ({ ownDomains }) => ownDomains === true,
  captcha: ({ turnstileSiteKey }) => turnstileSiteKey !== '',
  reputation: ({ services }) => services.reputation !== '',
  copies: ({ services }) => services.copies !== '',
  ads: ({ networkAds }) => networkAds.length > 0,
  homeAd: ({ networkAds }) => networkAds.includes('home'),
  resultAd: ({ networkAds }) => networkAds.includes('result'),
  analyticsAd: ({ networkAds }) => networkAds.includes('analytics'),
} as const satisfies Record<string, (config: SiteConfig) => boolean>;
export type PageSetting = keyof typeof PAGE_SETTINGS;

/**
 * A part of a prerendered page. `support` is kept if that setting is on, `not-support` if it is
 * off; `post` is repeated for each post, `post-tag` for each of its tags; `post-author` is kept if
 * it has an author, and `posts-tag` on the list of posts with a tag.
 */
export type BlockName =
  | PageSetting
  | `not-${PageSetting}`
  | 'post'
  | 'post-tag'
  | 'post-author'
  | 'posts-tag';

export const blockStart = (name: BlockName): string => `<!--hop:${name}-->`;
export const blockEnd = (name: BlockName): string => `<!--/hop:${name}-->`;

/** Placeholders for settings. No text of a page contains them. */
export const STAND_INS = {
  appOrigin: 'https://app-origin.invalid',
  shortHost: 'short-host.invalid',
  priceFree: 'hop-price-free',
  priceMonth: 'hop-price-month',
  priceYear: 'hop-price-year',
  supportEmail: 'support@support-host.invalid',
  operatorName: 'hop-operator-name',
  operatorAddress: 'hop-operator-address',
  operatorEmail: 'privacy@operator-host.invalid',
  reputationHost: 'reputation-host.invalid',
  copiesHost: 'copies-host.invalid',
} as const;

export const CODE_STAND_IN = 'hop-link-code';

/** The data that a page requests before its application starts. The time in ms follows `?t=`. */
export const EARLY_REQUESTS: Partial<Record<PagePath, readonly string[]>> = {
  '/dashboard': ['/api/my-urls', '/api/subscription?t=', '/api/me'],
  '/analytics/:code': [`/api/analytics/${CODE_STAND_IN}?range=all`, '/api/me'],
};

export const POST_STAND_INS = {
  title: 'hop-post-title',
  slug: 'hop-post-slug',
  text: 'hop-post-text',
  time: 'hop-post-time',
  date: 'hop-post-date',
  minutes: 'hop-post-minutes',
  author: 'hop-post-author',
  tag: 'hop-post-tag',
} as const;
/** A post as HTML, but its tags as text. `author` is '' if the post has none. */
export type PostText = Record<Exclude<keyof typeof POST_STAND_INS, 'tag'>, string> & {
  tags: string[];
};
