import { plural } from '#contract/language.ts';
import type { ErrorEntry } from './error-entry.ts';
import { TARGET_MESSAGES } from './links.ts';

const name = (text: ErrorEntry[1]) => ['invalid_body', text, { field: 'name' }] as const;

/** Errors of routes about members' own domains. */
export const DOMAIN_ERRORS = {
  domains_off: ['forbidden', 'This site does not offer own domains. Ask its operator.'],
  domain_not_a_host: name('Enter a domain such as go.example.com, without a path, a port or a *.'),
  domain_too_long: name('A domain can have at most 64 characters, because of its certificate.'),
  domain_own_host: name('This is a domain of this site. Enter one of your own.'),
  domain_public_suffix: name('Nobody can own this name. Enter a domain below it.'),
  domain_private_host: name('This name exists in private networks only.'),
  domain_imitates: name(
    'This name looks like that of somebody else. Choose another one, or write to us if it is yours.',
  ),
  domain_shared: ['conflict', 'Everybody can use this domain already.', { field: 'name' }],
  domain_yours: ['conflict', 'This domain is already in your account.', { field: 'name' }],
  domain_limit: [
    'quota_reached',
    ({ amount }) => `Your plan includes ${plural(amount, 'domain')}.`,
  ],
  domains_full: ['conflict', 'This site has no room for more domains. Write to its operator.'],
  domain_in_use: [
    'conflict',
    ({ detail }) =>
      `This domain has ${detail} now, which would stop. Use a subdomain such as go.example.com, or confirm that you want this one.`,
    { field: 'confirmed' },
  ],
  not_own_domain: ['not_found', "We couldn't find that domain in your account."],
  domain_name_differs: [
    'invalid_body',
    'Type the name of the domain to delete it.',
    { field: 'name' },
  ],
  own_domain_suspended: [
    'forbidden',
    'We suspended this domain, so it cannot be deleted. Write to us.',
  ],
  too_many_domain_checks: [
    'rate_limited',
    'Five checks a minute are enough. Changes of DNS records take a while to be visible.',
    { upgradeRequired: false, retryAfter: 60 },
  ],
  too_many_claims: [
    'rate_limited',
    'You have added domains fifty times today. Try again tomorrow.',
    { upgradeRequired: false },
  ],
  too_many_domain_offers: [
    'rate_limited',
    'You have offered domains five times today. Try again tomorrow.',
    { upgradeRequired: false },
  ],
  domain_offered_to_yourself: [
    'invalid_body',
    'This is your own address. Enter that of the other account.',
    { field: 'email' },
  ],
  unknown_domain_offer: [
    'not_found',
    'This offer of a domain has ended. Ask the sender for a new one.',
  ],
} as const satisfies Readonly<Record<string, ErrorEntry>>;

/**
 * The uses of a host that its CNAME record would end, by the type of the record that shows them.
 */
export const USE_NAMES: Readonly<Record<string, string>> = {
  A: 'a website',
  AAAA: 'a website',
  MX: 'mail',
};

/** Why an address cannot be a page of a domain. */
export const PAGE_MESSAGES = {
  ...TARGET_MESSAGES,
  not_checked: "We couldn't check this address for harmful content. Try again in a moment.",
};
