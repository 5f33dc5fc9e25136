import type { SiteConfig } from './config.ts';
import type { PagePath } from './paths.ts';

/**
 * What the build and the Worker agree on about prerendered pages. The build renders each of them
 * once, with everything that depends on a setting in a block. The Worker drops the blocks that do
 * not apply to its deployment and fills in what the build did not know.
 */

/** Rendered as a visitor sees them, with all of their text. */
export const PUBLIC_PAGES = [
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
export const MEMBER_PAGES = ['/dashboard', '/analytics/:code'] as const satisfies PagePath[];
export const PRERENDERED = [...PUBLIC_PAGES, ...MEMBER_PAGES] as const;
export type PrerenderedPage = (typeof PRERENDERED)[number];

export const isMemberPage = (page: PagePath): boolean =>
  MEMBER_PAGES.some((other) => other === page);

export const isPrerendered = (page: PagePath): page is PrerenderedPage =>
  PRERENDERED.some((other) => other === page);

/** True if the Worker writes posts into the page. */
export const hasPosts = (page: PagePath): boolean => page === '/blogs' || page === '/blog/:slug';

const fileName = (page: PagePath): string =>
  page === '/' ? 'home' : page.slice(1).replaceAll('/', '-').replace(':', '');

/**
 * Where the HTML of a page is among the built assets, without '.html': `/pages/blog-slug`. Only the
 * Worker can read it.
 */
export const templatePath = (page: PrerenderedPage): string => `/pages/${fileName(page)}`;

/** The HTML with which a page starts that is not prerendered: everything but its content. */
export const shellPath = (page: PagePath): string => `/shells/${fileName(page)}`;

/** The settings on which parts of a prerendered page depend. */
export const PAGE_SETTINGS = {
  embedded: ({ auth }) => auth.mode === 'embedded',
  demo: ({ billing }) => billing === 'demo',
  support: ({ supportEmail }) => supportEmail !== '',
  homeAd: ({ networkAds }) => networkAds.includes('home'),
  resultAd: ({ networkAds }) => networkAds.includes('result'),
  analyticsAd: ({ networkAds }) => networkAds.includes('analytics'),
} as const satisfies Record<string, (config: SiteConfig) => boolean>;
export type PageSetting = keyof typeof PAGE_SETTINGS;

/**
 * A part of a prerendered page. `support` is kept where that setting is on, `not-support` where it
 * is off; `post` is repeated for each post.
 */
export type BlockName = PageSetting | `not-${PageSetting}` | 'post';

/** The comments before and after a block. */
export const blockStart = (name: BlockName): string => `<!--hop:${name}-->`;
export const blockEnd = (name: BlockName): string => `<!--/hop:${name}-->`;

/** Stand-ins for settings. No text of a page contains them. */
export const STAND_INS = {
  appOrigin: 'https://app-origin.invalid',
  shortHost: 'short-host.invalid',
  supportEmail: 'support@support-host.invalid',
} as const;

/** A stand-in for the code in the address of a page. */
export const CODE_STAND_IN = 'hop-link-code';

/** The data that a page asks for before its application starts. The time in ms follows `?t=`. */
export const EARLY_REQUESTS: Partial<Record<PagePath, readonly string[]>> = {
  '/dashboard': ['/api/my-urls', '/api/subscription?t=', '/api/me'],
  '/analytics/:code': [`/api/analytics/${CODE_STAND_IN}?range=all`, '/api/me'],
};

/** Stand-ins for what a page shows of a post. */
export const POST_STAND_INS = {
  title: 'hop-post-title',
  slug: 'hop-post-slug',
  text: 'hop-post-text',
  time: 'hop-post-time',
  date: 'hop-post-date',
  minutes: 'hop-post-minutes',
} as const;
export type PostText = Record<keyof typeof POST_STAND_INS, string>;
