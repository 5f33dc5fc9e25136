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
} as const;
