import { API_ERRORS } from './api-errors.ts';

/** The plain-text answers of the site, for requests that no page answers: status and sentence. */
export const SITE_ERRORS = {
  not_found: [404, 'Nothing was found at this address.'],
  no_ads_txt: [404, 'This site has no ads.txt, because it shows no ads of a network.'],
  method: [405, 'Use GET or HEAD for this address.'],
  limited: [429, API_ERRORS.too_many_requests[1]],
  unavailable: [503, 'This page is temporarily unavailable. Try again in a moment.'],
  not_built: [503, 'The site has not been built yet. Run `npm run build`.'],
} as const;

export type SiteError = keyof typeof SITE_ERRORS;
