import { EMAIL_MAX, PASSWORD_MAX_BYTES, PASSWORD_MIN } from '#contract/limits.ts';

/** What is wrong with an address, as a sentence; '' where nothing is. The sign-in service has the last word. */
export function emailError(email: string): string {
  if (email.length > EMAIL_MAX) return 'This email address is too long.';
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? '' : 'Enter a valid email address.';
}

/** What is wrong with a new password, as a sentence; '' where nothing is (spec §5, decision 30). */
export function newPasswordError(password: string): string {
  if (password.length < PASSWORD_MIN) return `The password needs at least ${PASSWORD_MIN} characters.`;
  if (new TextEncoder().encode(password).length > PASSWORD_MAX_BYTES) return 'This password is too long.';
  return '';
}

/**
 * What to say where a hosted service reports that a mail's link failed; '' where the address says nothing. The words are ours:
 * anybody can write an address with a text of their own in it.
 */
export function mailLinkError({ search, hash }: { search: string; hash: string }): string {
  const failed = new URLSearchParams(search).has('error') || new URLSearchParams(hash.slice(1)).has('error');
  return failed ? 'This link did not work. It was used already, or it is too old.' : '';
}

/** What is wrong with the digits of a mail; '' if they may be sent. Spaces between them do not matter. */
export function codeError(code: string): string {
  return /^\d{6}$/.test(code.replaceAll(' ', '')) ? '' : 'The code has six digits.';
}
