import { KEEP_VISITOR_KEYS_HOURS } from '#contract/limits.ts';
import { dateFormat, plural } from '#contract/language.ts';
import { SITE_NAME } from '#contract/site.ts';
import { DAY_MS } from '#contract/time.ts';
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
  someGoElsewhere: 'Some visitors go elsewhere, by the rules below.',
  rule: (position: number) => `Rule ${position}`,
  variant: (percent: number) => `${percent}% of visitors go to`,
  dividesVisitors: 'The link divides its visitors between the destinations below.',
  fallback: 'Destination after its end',
  forwarded: 'Parameters it adds from the short URL',
  allForwarded: 'All',
  created: 'Created',
  changed: 'Destination last changed',
  never: 'Never',
  expires: 'Expires',
  date: longDate,
  /** 'today', '5 days ago', '3 months ago' */
  age: (at: number, now: number) => {
    const days = Math.floor((now - at) / DAY_MS);
    if (days < 1) return 'less than a day ago';
    if (days < 60) return `${plural(days, 'day')} ago`;
    return days < 730
      ? `${plural(Math.floor(days / 30.44), 'month')} ago`
      : `${plural(Math.floor(days / 365.25), 'year')} ago`;
  },
  checksTitle: `What ${SITE_NAME} has checked`,
  /** `isOne`: the link has no other destinations, by rules or after its end. */
  checks: (hasReputation: boolean, isOne: boolean) => [
    `${isOne ? 'The' : 'Each'} destination is an http or https address of a public host, not of a device in your network.`,
    `Its host is not on the blocklist of this site. If it is listed later, the${isOne ? '' : ' whole'} link stops.`,
    ...(hasReputation
      ? [
          'A reputation service is asked about its host when the link is saved and for 30 days after.',
        ]
      : []),
    'Nobody has read the page for you. Continue if you know the host and expected it.',
  ],
  storedTitle: `What ${SITE_NAME} stores when you continue`,
  stored: [
    'One click: its time, your country, region and city, your kind of device, browser and system, the site that you came from, the campaign in the address and, for a link with several destinations, yours.',
    `Never your IP address. Visitors are counted by a number that lasts a day and cannot be traced to you after ${KEEP_VISITOR_KEYS_HOURS} hours. With Do Not Track or Global Privacy Control you have none.`,
    'Nothing for this preview.',
  ],
  privacy: 'Read the privacy policy',
  time: (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
} as const;

/** The preview card of a link. Its first words are the host, because networks cut long texts. */
export const CARD = {
  description: (host: string, text: string) => (text === '' ? host : `${host} · ${text}`),
  goesTo: 'This link goes to',
  open: 'Open it at',
  password: {
    title: 'Link with a password',
    description: 'Open it and enter the password to see where it leads.',
  },
  limit: {
    title: 'Link with a click limit',
    description: 'It can be opened a limited number of times. Opening it uses it once.',
  },
} as const;

/** Names of the site in its feed, its manifest and its metadata. */
export const SITE_TEXTS = {
  blog: `${SITE_NAME} blog`,
  picture: `${SITE_NAME}: short links that keep their word`,
  newLink: 'New link',
  ad: 'Ad',
} as const;

/** The root of a domain without a root page. */
export const DOMAIN_ROOT = {
  text: `Short links on this domain are made with ${SITE_NAME}. Each has a code after the host.`,
  action: 'Shorten a link',
  report: 'Report a link',
} as const;
