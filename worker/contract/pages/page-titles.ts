import { SITE_NAME } from '#contract/site.ts';

export const HOME_TITLE = `${SITE_NAME}: short links that keep their word`;

/** The texts for an unknown address, in the SPA and in the Worker's response. */
export const PAGE_NOT_FOUND = {
  title: 'Page not found',
  text: 'There is no page at this address. Check the spelling, or start again from the home page.',
  action: 'Go to the home page',
} as const;

/**
 * The title of the browser tab: 'Pricing' → 'Pricing · Hop'. A title that starts with the name of
 * the product is unchanged.
 */
export const documentTitle = (title: string): string =>
  title.startsWith(SITE_NAME) ? title : `${title} · ${SITE_NAME}`;
