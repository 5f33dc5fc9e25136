import { formatNumber, formatUtcDay, plural, wordFor } from '#contract/language.ts';
import { PICTURE_TEXT } from '#contract/links/link-card.ts';
import {
  ALIAS_MAX,
  CHANGES_PER_MINUTE,
  EARLIER_CODES_MAX,
  IMPORTED_CODE_MAX,
  PASSWORDS_PER_REQUEST,
  TARGET_MAX,
} from '#contract/limits.ts';
import { TAG_MESSAGES } from './features.ts';

export const POLICY_MESSAGES = {
  empty: 'Paste a link first.',
  too_long: `This link is longer than ${formatNumber(TARGET_MAX)} characters.`,
  bad_characters:
    'This link contains control characters or broken text. Copy it again from its source.',
  not_a_link: 'This is not a web address. It should look like https://example.com/page.',
  bad_scheme: 'Only links that start with http:// or https:// can be shortened.',
  credentials: 'This link contains a user name or password. Remove the part before the @ sign.',
  own_host: 'This link points to this site and is already short.',
  private_host: 'This address only works on a private network. Use a public one.',
  private_address: 'This address is not reachable from the public Internet.',
  host_too_long: 'The host name of this link is longer than DNS allows.',
  bad_port: 'Browsers block this port. Use a different one.',
  shortener: 'This link belongs to another link shortener. Paste the link it redirects to.',
  lookalike_host: 'The host name of this link mixes scripts to look like another one.',
} as const;

export type PolicyReason = keyof typeof POLICY_MESSAGES;

/** Why a target is not accepted: by the link policy, or as harmful. */
export const TARGET_MESSAGES = {
  ...POLICY_MESSAGES,
  on_blocklist: 'This address is on our blocklist of harmful sites.',
  known_harmful: 'This site is known for harmful pages.',
  not_checked:
    "We couldn't check this address for harmful content. Try again in a moment, or sign in.",
} as const;

export type TargetReason = keyof typeof TARGET_MESSAGES;

/** Values for the sentences about links. Each sentence uses the ones it needs. */
export type LinkValues = {
  target: TargetReason;
  /** The position of the rule or variant, from 1 on. */
  rule: number;
  variant: number;
  codePrefix: string;
  /**
   * The short URL that a link would get by a move to another domain, without the scheme; '' without
   * a move.
   */
  shortUrl: string;
  /**
   * The length of a list that needs more than the `room` left in the quota; 0 for a single link.
   */
  needed: number;
  room: number;
  /** When the quota resets (RFC 3339). */
  resetsAt: string;
  limit: number;
  left: number;
  cost: number;
  /** The host of the domain that the request names, '' if only its id is known. */
  domain: string;
};
type Text = string | ((values: LinkValues) => string);

const moveElsewhere = 'Choose another domain, or rename the link first.';
const ended = 'The end date is in the past. Choose a later one.';
/** Without a full stop, because the page continues with '. Upgrade to Premium for …'. */
const quotaUsedUp = ({ needed, room }: LinkValues): string =>
  needed === 0
    ? "You have used all of this month's links"
    : `This list needs ${plural(needed, 'link')}, and you have ${room} left this month`;

const LINK_MESSAGES = {
  ...TAG_MESSAGES,
  invalid_target: ({ target }) => TARGET_MESSAGES[target],
  invalid_fallback: ({ target }) => `The fallback: ${TARGET_MESSAGES[target]}`,
  invalid_watch_fallback: ({ target }) =>
    `The fallback of an unreachable destination: ${TARGET_MESSAGES[target]}`,
  invalid_rule: ({ target, rule }) => `Rule ${formatNumber(rule)}: ${TARGET_MESSAGES[target]}`,
  invalid_variant: ({ target, variant }) =>
    `Variant ${formatNumber(variant)}: ${TARGET_MESSAGES[target]}`,
  too_many_passwords: `A request can set at most ${PASSWORDS_PER_REQUEST} different passwords. Send this link in another one.`,
  passwords_busy: 'Too many passwords are being set at the moment. Try again in a few seconds.',
  end_before_start: 'The end date must be after the start date.',
  reputation_unknown: TARGET_MESSAGES.not_checked,
  invalid_alias: `An alias can have 1 to ${ALIAS_MAX} letters, digits, hyphens and underscores.`,
  invalid_imported_code: `A code can have up to ${IMPORTED_CODE_MAX} letters, digits, hyphens and underscores, and slashes between them.`,
  reserved_alias: ({ shortUrl }) =>
    shortUrl === ''
      ? 'This alias is reserved. Choose another one.'
      : `${shortUrl} is reserved. ${moveElsewhere}`,
  unknown_domain: ({ domain }) =>
    `${domain || 'This domain'} is not in your account. Choose another domain, or add this one in Settings.`,
  domain_not_ready: ({ domain }) =>
    `${domain || 'This domain'} is not connected yet. Check it in Settings.`,
  domain_suspended: ({ domain }) =>
    `We suspended ${domain || 'this domain'}, so it gets no links. Choose another domain.`,
  alias_taken: ({ shortUrl }) =>
    shortUrl === ''
      ? 'This alias is already taken. Choose another one.'
      : `${shortUrl} is already taken. ${moveElsewhere}`,
  alias_held: ({ shortUrl }) =>
    shortUrl === ''
      ? 'Your deleted link with this alias was disabled, so the alias is not available. Choose another one.'
      : `Your deleted link ${shortUrl} was disabled, so its code is not available. ${moveElsewhere}`,
  outside_prefix: ({ codePrefix }) =>
    `This API key creates only links whose code starts with “${codePrefix}”.`,
  invalid_expiry: ended,
  sign_in_required: 'Sign in to give a link an alias, an end date, tags or other settings.',
  external_id_taken: 'Another link in your account has this externalId.',
  no_free_code: "We couldn't find a free code. Try again.",
  no_free_codes: "We couldn't find enough free codes. Try again.",
  upgrade_needed: quotaUsedUp,
  quota_used_up: (values) =>
    `${quotaUsedUp(values)}. Your quota resets on ${formatUtcDay(values.resetsAt)}.`,
  daily_limit_reached:
    "You have reached today's limit for links without an account. Sign in, or try again tomorrow.",
  premium_only: 'Bulk processing is part of the Premium plan.',
  not_found: "We couldn't find that link in your account.",
  held: "We disabled this link, so you can't change it. You can delete it, or ask for a review with the report form.",
  changed_meanwhile: 'This link changed while you were editing it. Reload the page and try again.',
  too_many_codes: `This link already has ${EARLIER_CODES_MAX} earlier codes, which all keep working. Go back to one of them, or create a new link.`,
  too_many_renames: ({ limit }) =>
    `Your plan includes ${formatNumber(limit)} new codes for existing links a day. The count resets at midnight UTC.`,
  too_many_changes: ({ limit, left, cost }) =>
    `Your plan includes ${formatNumber(limit)} changes of links a day, where a link counts once for each of its codes. ${plural(left, 'change')} ${wordFor(left, 'is', 'are')} left until midnight UTC, and this needs ${formatNumber(cost)}.`,
  changed_too_often: `A link can be changed ${CHANGES_PER_MINUTE} times a minute. Try again in a minute.`,
  changed_since: 'This link has changed since you read it. Read it again, and send its new ETag.',
  invalid_picture: PICTURE_TEXT,
  too_many_cards: ({ limit }) =>
    `Your plan includes ${formatNumber(limit)} links with a preview card. Remove the card of another link first.`,
  not_restorable: 'We disabled this link, so it cannot be restored.',
  not_purgeable: 'We disabled this link, so it cannot be deleted for good.',
  import_code_taken: 'Another link has this code.',
  import_no_free_code: "We couldn't find a free code. Import the file again.",
} as const satisfies Record<string, Text>;

export type LinkReason = keyof typeof LINK_MESSAGES;
export type LinkRefusal<R extends LinkReason = LinkReason> = {
  ok: false;
  reason: R;
  values?: Partial<LinkValues>;
};

const NO_VALUES: LinkValues = {
  target: 'not_a_link',
  rule: 0,
  variant: 0,
  codePrefix: '',
  shortUrl: '',
  needed: 0,
  room: 0,
  resetsAt: '',
  limit: 0,
  left: 0,
  cost: 0,
  domain: '',
};

export function linkMessage({ reason, values }: Pick<LinkRefusal, 'reason' | 'values'>): string {
  const text: Text = LINK_MESSAGES[reason];
  return typeof text === 'string' ? text : text({ ...NO_VALUES, ...values });
}

/** Why a link without an owner was not put into an account. */
export const CLAIM_MESSAGES = {
  not_claimable: "This link can't be added to an account.",
  quota_reached: "You have used all of this month's links.",
} as const;

/** Why a link is disabled, as its owner reads it, unless moderation gave a reason. */
export const DISABLED_MESSAGES = {
  by_owner: 'You disabled this link.',
  by_us: 'This link has been disabled.',
} as const;

/** Why an active link on a domain does not redirect. */
export const DOMAIN_STOPS = {
  unknown_domain: (domain: string) =>
    `This link does not redirect: ${domain} was deleted or moved to another account. Edit the link to choose another domain.`,
  domain_suspended: (domain: string) => `This link does not redirect: ${domain} is suspended.`,
  domain_not_ready: (domain: string) =>
    `This link does not redirect while ${domain} is not connected. Check it in Settings.`,
} as const;

/** Why we disabled a link, stored with its hold and shown on the 410 page. */
export const HOLD_REASONS = {
  blocklist: 'The destination is on our blocklist of harmful sites.',
  reputation: 'The destination is known for harmful pages.',
} as const;
