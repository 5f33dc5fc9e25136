import { EMAIL_MAX, PASSWORD_MAX_BYTES, PASSWORD_MIN } from '#contract/limits.ts';

/** What is wrong with an address, as a sentence; '' where nothing is. The sign-in service has the last word. */
export function emailProblem(email: string): string {
  if (email.length > EMAIL_MAX) return 'This email address is too long.';
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? '' : 'Enter a valid email address.';
}

/** What is wrong with a new password, as a sentence; '' where nothing is (spec §5, decision 30). */
export function newPasswordProblem(password: string): string {
  if (password.length < PASSWORD_MIN) return `The password needs at least ${PASSWORD_MIN} characters.`;
  if (new TextEncoder().encode(password).length > PASSWORD_MAX_BYTES) return 'This password is too long.';
  return '';
}

/** The reason a mail's link failed, as the service put it into the address's fragment; '' where there is none. */
export function linkProblem(hash: string): string {
  const fragment = new URLSearchParams(hash.slice(1));
  return fragment.get('error_description') ?? (fragment.has('error') ? 'This link did not work.' : '');
}

/** What is wrong with the digits of a mail; '' if they may be sent. Spaces between them do not matter. */
export function codeProblem(code: string): string {
  return /^\d{6}$/.test(code.replaceAll(' ', '')) ? '' : 'The code has six digits.';
}
