import { ALIAS_MAX } from '#contract/limits.ts';

/**
 * Removes the characters that an alias cannot contain (all but letters, digits, '-' and '_') and
 * cuts it to the maximum length.
 */
export const sanitizeAlias = (text: string): string =>
  text.replace(/[^A-Za-z0-9_-]/g, '').slice(0, ALIAS_MAX);
