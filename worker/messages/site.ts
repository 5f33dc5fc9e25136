import { dateFormat } from '#contract/language.ts';
import { SITE_NAME } from '#contract/site.ts';
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

/** Answers to requests that reach the Worker at a wrong host or scheme. */
export const ORIGIN_ERRORS = {
  https_only: (origin: string) =>
    `This address is served over https only. Send the request to ${origin}.`,
  foreign_host: 'This address does not belong to this site. Check how it is spelled.',
  no_app_origin: 'This site has no address yet. Its operator sets it as APP_ORIGIN.',
} as const;

const longDate = dateFormat({ dateStyle: 'long', timeZone: 'UTC' });

/** The preview page of a link. */
export const PREVIEW = {
  title: (code: string) => `Preview of ${code}`,
  goesTo: 'goes to',
  punycode: 'In Punycode:',
  qrCode: (shortUrl: string) => `QR code of ${shortUrl}`,
  continue: 'Continue to',
  report: 'Report this link',
  target: 'Destination',
  forwarded: 'Parameters it adds from the short URL',
  allForwarded: 'All',
  created: 'Created',
  changed: 'Destination last changed',
  expires: 'Expires',
  date: longDate,
  time: (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
} as const;

/** Names of the site in its feed, its manifest and its metadata. */
export const SITE_TEXTS = {
  blog: `${SITE_NAME} blog`,
  picture: `${SITE_NAME}: short links that keep their word`,
  newLink: 'New link',
  ad: 'Ad',
} as const;
