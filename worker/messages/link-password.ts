import { plural } from '#contract/language.ts';
import { MINUTE_MS } from '#contract/time.ts';

/** The page of a link with a password. */
export const LINK_PASSWORD_PAGE = {
  title: 'Password needed',
  titleOfError: 'Error: password needed',
  heading: 'This link needs a password',
  intro:
    'Ask the person who gave you the link for its password. The link opens when the password is correct.',
  label: 'Password',
  open: 'Open link',
} as const;

/** What it says after a form that did not open the link. */
export const LINK_PASSWORD_MESSAGES = {
  missing: 'Enter the password.',
  wrong: 'That is not the password. Check it and try again.',
  foreign: 'Another site has sent this form. Enter the password here.',
  busy: 'We couldn’t check the password. Try again in a few seconds.',
  limited: (retryAfterMs: number): string =>
    `Too many wrong passwords from your network. Try again in ${plural(Math.ceil(retryAfterMs / MINUTE_MS), 'minute')}.`,
} as const;
