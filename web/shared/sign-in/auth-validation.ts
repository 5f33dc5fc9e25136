import { EMAIL_MAX, PASSWORD_MAX_BYTES, PASSWORD_MIN } from '#contract/limits.ts';
import { describePasswordRule, describeShortPassword } from '#contract/sign-in/passwords.ts';
import { config } from '#web/shared/page/config.ts';

/** A hosted service has other rules, of which only the length is known. */
const { passwordMin = PASSWORD_MIN, mode } = config.auth;
export const passwordPlaceholder = `Create a password (min. ${passwordMin} characters)`;
export const passwordHint =
  mode === 'hosted'
    ? `At least ${passwordMin} characters. Longer is safer.`
    : describePasswordRule(passwordMin);

/**
 * Returns the error for an email address, or '' if it may be sent. The sign-in service validates it
 * again.
 */
export function emailError(email: string): string {
  if (email.length > EMAIL_MAX) return 'This email address is too long.';
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? '' : 'Enter a valid email address.';
}

/** Returns the error for a new password, or '' if it is valid. See docs/decisions.md#d30. */
export function newPasswordError(password: string): string {
  if (password.length < passwordMin) return describeShortPassword(passwordMin);
  if (new TextEncoder().encode(password).length > PASSWORD_MAX_BYTES)
    return 'This password is too long. Use a shorter one.';
  return '';
}

/**
 * Returns the error if a hosted service reports in the address that a mail's link failed, otherwise
 * ''. The text in the address is never shown, because anyone can write such an address.
 */
export function mailLinkError({ search, hash }: { search: string; hash: string }): string {
  const failed =
    new URLSearchParams(search).has('error') || new URLSearchParams(hash.slice(1)).has('error');
  return failed ? 'This link was already used or has expired.' : '';
}

/** Returns the error for a mail's code, or '' if it may be sent. Spaces are allowed. */
export function codeError(code: string): string {
  return /^\d{6}$/.test(code.replaceAll(' ', '')) ? '' : 'Enter all 6 digits of the code.';
}
