import type { Provider, SupabaseClient } from '@supabase/supabase-js';
import { config } from '#web/shared/page/config.ts';
import { authClient, refreshAccessToken, signedInAgain } from '#web/shared/session/session.ts';
import { OFFLINE } from '#web/ui/offline.ts';
import { clearSignUpSecret, ensureSignUpSecret, loadSignUpSecret } from './auth-secret.ts';

const isEmbedded = config.auth.mode === 'embedded';
const store = () => localStorage;

/**
 * Returns the address for `redirectTo`. The embedded service puts `next` into the mail's link to
 * /auth/confirm. A hosted service returns to `page`, which completes the sign-in and then opens
 * `next`.
 */
const emailRedirectUrl = (page: '/auth' | '/auth/reset', next: string): string =>
  window.location.origin + (isEmbedded ? next : `${page}?next=${encodeURIComponent(next)}`);

/** `captchaToken` is '' if no captcha is configured. */
const captchaOption = (captchaToken: string) => (captchaToken === '' ? {} : { captchaToken });

/** The options of a mail that confirms an address. */
const confirmationOptions = ({ next, captchaToken }: { next: string; captchaToken: string }) => ({
  emailRedirectTo: emailRedirectUrl('/auth', next),
  ...captchaOption(captchaToken),
});

/**
 * Calls the sign-in service and returns its data. Throws the service's own error, or that the
 * browser was offline.
 */
export async function ask<Answer extends { data: unknown; error: Error | null }>(
  call: (auth: SupabaseClient['auth']) => Promise<Answer>,
): Promise<Answer['data']> {
  const wasOnline = navigator.onLine;
  try {
    const { auth } = await authClient();
    const { data, error } = await call(auth);
    if (error !== null) throw error;
    return data;
  } catch (error) {
    throw !wasOnline && hasNoResponse(error) ? new Error(OFFLINE) : error;
  }
}

export async function signIn(input: { email: string; password: string }): Promise<void> {
  await ask((auth) => auth.signInWithPassword(input));
}

/**
 * Creates an account. `needsConfirmation` means that a confirmation mail was sent and there is no
 * session yet.
 */
export async function signUp(input: {
  email: string;
  password: string;
  next: string;
  captchaToken: string;
}): Promise<{ needsConfirmation: boolean }> {
  const secret = isEmbedded
    ? {
        data: {
          sign_up_secret: ensureSignUpSecret(store, (bytes) => crypto.getRandomValues(bytes)),
        },
      }
    : {};
  const { session } = await ask((auth) =>
    auth.signUp({
      email: input.email,
      password: input.password,
      options: { ...confirmationOptions(input), ...secret },
    }),
  );
  return { needsConfirmation: session === null };
}

export async function resendConfirmation(input: {
  email: string;
  next: string;
  captchaToken: string;
}): Promise<void> {
  await ask((auth) =>
    auth.resend({ type: 'signup', email: input.email, options: confirmationOptions(input) }),
  );
}

export async function sendRecovery(input: {
  email: string;
  next: string;
  captchaToken: string;
}): Promise<void> {
  await ask((auth) =>
    auth.resetPasswordForEmail(input.email, {
      redirectTo: emailRedirectUrl('/auth/reset', input.next),
      ...captchaOption(input.captchaToken),
    }),
  );
}

/**
 * True if mails contain a 6-digit code beside the link. The embedded service's do; a hosted
 * service's may not.
 */
export const mailsIncludeCode = isEmbedded;

/** Proves that a mail was received: the token of its link, or its code with the email address. */
type MailProof = { token_hash: string } | { email: string; token: string };

/**
 * Signs in with a mail. `needsPassword` means that the account's password was deleted, so the
 * member has to choose one next.
 */
async function verify(
  type: 'signup' | 'recovery',
  proof: MailProof,
): Promise<{ needsPassword: boolean }> {
  const { user } = await ask((auth) =>
    auth.verifyOtp({ type, ...proof, ...signUpSecretFor(type) }),
  );
  if (type === 'signup') clearSignUpSecret(store);
  return { needsPassword: user?.app_metadata['has_password'] === false };
}

export const verifyCode = (input: { email: string; code: string; type: 'signup' | 'recovery' }) =>
  verify(input.type, { email: input.email, token: input.code.replaceAll(' ', '') });

export const verifyMailLink = (input: { tokenHash: string; type: 'signup' | 'recovery' }) =>
  verify(input.type, { token_hash: input.tokenHash });

/**
 * Returns the proof that this browser made the sign-up; empty for other mails and in other
 * browsers.
 */
export function signUpSecretFor(type: string): { sign_up_secret?: string } {
  const secret = isEmbedded && type === 'signup' ? loadSignUpSecret(store) : null;
  return secret === null ? {} : { sign_up_secret: secret };
}

/**
 * Sets a new password. `currentPassword` is '' if the member has just entered a code from a mail.
 * If the session has ended, waits for the member to sign in again.
 */
export async function changePassword(input: {
  password: string;
  currentPassword: string;
}): Promise<void> {
  const current = input.currentPassword === '' ? {} : { current_password: input.currentPassword };
  const change = () => ask((auth) => auth.updateUser({ password: input.password, ...current }));
  try {
    await change();
  } catch (error) {
    if (!isSessionError(error)) throw error;
    if ((await refreshAccessToken()) === null && !(await signedInAgain(true))) throw error;
    await change();
  }
}

const isSessionError = (error: unknown): boolean =>
  authErrorCode(error) === 'bad_jwt' ||
  (error instanceof Error && error.name === 'AuthSessionMissingError');

export const UNREACHABLE =
  'We couldn’t reach the sign-in service. Check your connection and try again.';

/** Returns the service's message, or a default if no response arrived; '' for null. */
export function authErrorMessage(error: unknown): string {
  if (error === null) return '';
  return hasNoResponse(error) ? UNREACHABLE : messageOf(error);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

/**
 * The client reports a failed request as a TypeError or with the text '{}', depending on where it
 * failed.
 */
function hasNoResponse(error: unknown): boolean {
  const text = messageOf(error);
  return (
    text === '' || text === '{}' || error instanceof TypeError || text.startsWith('Failed to fetch')
  );
}

/** Returns the service's stable error code, or '' if it sent none. */
export const authErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** True if the email address must be confirmed first. The page then offers to resend the mail. */
export const isEmailUnconfirmed = (error: unknown): boolean =>
  authErrorCode(error) === 'email_not_confirmed';

/** True if the current password is missing or wrong. The message belongs beside that field. */
export const isCurrentPasswordError = (error: unknown): boolean =>
  authErrorCode(error).startsWith('current_password_');

/**
 * Opens a provider's page. From the company's, the browser comes back to /auth/callback, from one
 * of a hosted project to /auth; then `next` opens.
 */
export async function signInAtProvider({
  provider,
  next,
}: {
  provider: Provider;
  next: string;
}): Promise<void> {
  await ask((auth) =>
    auth.signInWithOAuth({
      provider,
      options: { redirectTo: emailRedirectUrl('/auth', next) },
    }),
  );
}

/** Exchanges the code of a callback for a session. Only the browser that began can do that. */
export async function finishAtProvider(code: string): Promise<void> {
  await ask((auth) => auth.exchangeCodeForSession(code));
}
