import type { SiteConfig } from './config.ts';
import type { Page } from './paths.ts';

/**
 * What the build and the Worker agree on about prerendered pages. The build renders each of them as a visitor sees it, once for
 * every variant of the settings that change it. The Worker serves the one that fits and fills in what the build did not know.
 */
export const PRERENDERED = [
  '/',
  '/pricing',
  '/about',
  '/privacy',
  '/terms',
  '/docs/api',
  '/blogs',
  '/blog/:slug',
] as const satisfies Page[];
export type PrerenderedPage = (typeof PRERENDERED)[number];

/** `page` if it is prerendered, else null: it starts as the empty index.html. */
export const prerenderedPage = (page: Page): PrerenderedPage | null => PRERENDERED.find((other) => other === page) ?? null;

/** True if the Worker writes posts into the page. */
export const hasPosts = (page: Page): boolean => page === '/blogs' || page === '/blog/:slug';

/** The variant that `config` needs: 'embedded-none-ads-support'. */
export const variantOf = ({ auth, billing, networkAds, supportEmail }: SiteConfig): string =>
  [auth.mode, billing, networkAds.includes('home') ? 'ads' : 'no-ads', supportEmail === '' ? 'no-support' : 'support'].join('-');

/** The path of a prerendered page among the built assets, without '.html'. Only the Worker can read it. */
export function templatePath(page: PrerenderedPage, config: SiteConfig): string {
  const name = page === '/' ? 'home' : page === '/blog/:slug' ? 'post' : page.slice(1);
  return `/pages/${variantOf(config)}/${name}`;
}

/** Stand-ins for settings. No text of a page contains them. */
export const STAND_INS = {
  appOrigin: 'https://app-origin.invalid',
  shortHost: 'short-host.invalid',
  supportEmail: 'support@support-host.invalid',
} as const;

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
