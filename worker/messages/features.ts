import { formatNumber } from '#contract/language.ts';
import { PLANS, type PlanType } from '#contract/site.ts';

export const TAG_MESSAGES = {
  tag_not_found: "We couldn't find that tag in your account.",
  tag_taken: 'You have another tag with this name. Choose a different name, or merge the two tags.',
  too_many_tags: 'You have as many tags as an account can have. Delete or merge some first.',
} as const;

export const KEY_MESSAGES = {
  not_found: "We couldn't find that API key in your account.",
  ends_in_past: 'The end date is in the past. Choose a later one.',
  too_many: 'You have as many API keys as an account can have. Revoke one that you no longer use.',
  /** For a request with a key. */
  unknown: 'This API key is not valid. It may have been revoked.',
  expired: 'This API key has expired. Create a new one in Settings.',
  suspended: (reason: string) => `This account is suspended. Reason: ${reason}`,
} as const;

export const WEBHOOK_MESSAGES = {
  not_found: "We couldn't find that webhook in your account.",
  changed_meanwhile: 'This webhook changed at the same time. Reload the page and try again.',
  too_many: (plan: PlanType) =>
    `Your plan includes ${PLANS[plan].webhooks} webhooks. Delete one that you no longer use.`,
  own_host: 'A webhook cannot point to this site.',
  own_domain: (domain: string) =>
    `A webhook cannot point to a host of ${domain}, the domain of this site, unless the site's operator allows it.`,
  shortener: 'This address redirects, and redirects are not followed. Enter where it leads.',
  not_https: 'A webhook needs an address that starts with https://.',
  /** Shown in the log of deliveries. */
  no_attempts_left: (limit: number) =>
    `Your plan includes ${formatNumber(limit)} repeated attempts a day.`,
  disabled: 'The endpoint is disabled.',
  not_prepared: 'The event could not be prepared.',
} as const;

export const HOST_MESSAGES = {
  not_a_host: 'This is not a host name.',
  has_port: 'Enter the host without a port.',
  no_dot: 'A host needs a dot: a name without one would block a whole top-level domain.',
  not_a_url: 'This is not a valid URL.',
  own_host: 'This is our own host.',
} as const;

export type HostReason = keyof typeof HOST_MESSAGES;

export const MODERATION_MESSAGES = {
  unknown_link: "We couldn't find that link.",
  unknown_user: "We couldn't find that user.",
  last_admin: 'This is the last administrator. Make someone else an administrator first.',
  yourself: 'You cannot suspend yourself.',
} as const;
