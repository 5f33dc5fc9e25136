import type { SiteConfig } from './config.ts';
import type { Page } from './paths.ts';

/**
 * What the build and the Worker agree on about prerendered pages. The build renders each of them
 * once for every variant of the settings that change it. The Worker serves the one that fits and
 * fills in what the build did not know.
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
] as const satisfies Page[];
/** Rendered as a member sees them while their data loads. */
export const MEMBER_PAGES = ['/dashboard', '/analytics/:code'] as const satisfies Page[];
export const PRERENDERED = [...PUBLIC_PAGES, ...MEMBER_PAGES] as const;
export type PrerenderedPage = (typeof PRERENDERED)[number];

export const isMemberPage = (page: Page): boolean => MEMBER_PAGES.some((other) => other === page);

/** `page` if it is prerendered, else null: it starts as the empty index.html. */
export const prerenderedPage = (page: Page): PrerenderedPage | null =>
  PRERENDERED.find((other) => other === page) ?? null;

/** True if the Worker writes posts into the page. */
export const hasPosts = (page: Page): boolean => page === '/blogs' || page === '/blog/:slug';

/** The variant that `config` needs: 'embedded-none-ads-support'. */
export const variantOf = ({ auth, billing, networkAds, supportEmail }: SiteConfig): string =>
  [
    auth.mode,
    billing,
    networkAds.includes('home') ? 'ads' : 'no-ads',
    supportEmail === '' ? 'no-support' : 'support',
  ].join('-');

const FILE_NAMES: Partial<Record<PrerenderedPage, string>> = {
  '/': 'home',
  '/blog/:slug': 'post',
  '/analytics/:code': 'analytics',
};

/**
 * The path of a prerendered page among the built assets, without '.html'. Only the Worker can read
 * it.
 */
export function templatePath(page: PrerenderedPage, config: SiteConfig): string {
  return `/pages/${variantOf(config)}/${FILE_NAMES[page] ?? page.slice(1)}`;
}

/** Stand-ins for settings. No text of a page contains them. */
export const STAND_INS = {
  appOrigin: 'https://app-origin.invalid',
  shortHost: 'short-host.invalid',
  supportEmail: 'support@support-host.invalid',
} as const;

/** A stand-in for the code in the address of a page. */
export const CODE_STAND_IN = 'hop-link-code';

/** The data that a page asks for before its application starts. The time in ms follows `?t=`. */
export const EARLY_REQUESTS: Partial<Record<Page, readonly string[]>> = {
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

/** These comments enclose the list item that the Worker repeats for each post. */
export const ITEM_START = '<!--hop:item-->';
export const ITEM_END = '<!--/hop:item-->';

/** Where the Worker puts the files of a page's screen, as a JSON array, into a prerendered page. */
export const SCREEN_FILES_MARKER = '"__SCREEN_FILES__"';
