import { formatNumber } from '#contract/language.ts';

export const TAG_MESSAGES = {
  tag_not_found: "We couldn't find that tag in your account.",
  tag_taken: 'You have another tag with this name. Choose a different name, or merge the two tags.',
  too_many_tags: 'You have as many tags as an account can have. Delete or merge some first.',
} as const;

/** Shown in the log of a webhook's deliveries. */
export const DELIVERY_MESSAGES = {
  no_attempts_left: (limit: number) =>
    `Your plan includes ${formatNumber(limit)} repeated attempts a day.`,
  disabled: 'The endpoint is disabled.',
  not_prepared: 'The event could not be prepared.',
  own_domain: 'The host of the endpoint belongs to the domain of this site.',
  private_host: 'The host of the endpoint has a private address.',
  unknown_host: 'The host of the endpoint has no address, or could not be looked up.',
  too_late: (seconds: number) => `No answer within ${seconds} seconds.`,
  no_connection: 'The connection failed.',
  redirect: (status: number) =>
    `The endpoint answered with a redirect (${status}), which is not followed.`,
  gone: 'The endpoint answered 410 (Gone).',
  bad_status: (status: number) => `The endpoint answered ${status}.`,
} as const;

/** Reasons in the audit log for changes that no administrator made. */
export const ROLE_REASONS = {
  listed: 'ADMIN_EMAILS lists this address.',
  claimed: 'Opened a one-time link from the command line.',
  claimedBySecret: 'Opened a link with the secret ADMIN_CLAIM.',
  joinedGroup: 'The provider lists this person in OIDC_ADMIN_GROUP.',
  disconnected: 'The account was taken back by mail, which disconnected the provider.',
  leftGroup: 'The provider no longer lists this person in OIDC_ADMIN_GROUP.',
} as const;
