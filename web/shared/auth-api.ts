import { config } from './config.ts';
import { authClient } from './session.ts';
import { clearSignUpSecret, ensureSignUpSecret, readSignUpSecret } from './auth-secret.ts';

const isEmbedded = config.auth.mode === 'embedded';
const store = () => localStorage;

/**
 * Where the links of the service's mails lead in the end. The embedded service writes `next` into the link to our confirm page.
 * A hosted one comes back to a page that finishes the sign-in and then goes to `next`.
 */
const emailRedirectUrl = (page: '/auth' | '/auth/reset', next: string): string =>
  window.location.origin + (isEmbedded ? next : `${page}?next=${encodeURIComponent(next)}`);

/** `captchaToken`: '' where no captcha is configured. */
const captcha = (captchaToken: string) => (captchaToken === '' ? {} : { captchaToken });

/** Each call throws the service's own words on failure (spec §8), and answers what the page shows next. */
export async function signIn(input: { email: string; password: string }): Promise<void> {
  const { auth } = await authClient();
  const { error } = await auth.signInWithPassword(input);
  if (error !== null) throw error;
}

/** `confirm`: a mail with a link is on its way and there is no session yet. */
export async function signUp(input: {
  email: string;
  password: string;
  next: string;
  captchaToken: string;
}): Promise<{ confirm: boolean }> {
  const { auth } = await authClient();
  const data = isEmbedded ? { data: { sign_up_secret: ensureSignUpSecret(store, (bytes) => crypto.getRandomValues(bytes)) } } : {};
  const { data: made, error } = await auth.signUp({
    email: input.email,
    password: input.password,
    options: { emailRedirectTo: emailRedirectUrl('/auth', input.next), ...captcha(input.captchaToken), ...data },
  });
  if (error !== null) throw error;
  return { confirm: made.session === null };
}

export async function resendConfirmation(input: { email: string; next: string; captchaToken: string }): Promise<void> {
  const { auth } = await authClient();
  const { error } = await auth.resend({
    type: 'signup',
    email: input.email,
    options: { emailRedirectTo: emailRedirectUrl('/auth', input.next), ...captcha(input.captchaToken) },
  });
  if (error !== null) throw error;
}

export async function sendRecovery(input: { email: string; next: string; captchaToken: string }): Promise<void> {
  const { auth } = await authClient();
  const { error } = await auth.resetPasswordForEmail(input.email, {
    redirectTo: emailRedirectUrl('/auth/reset', input.next),
    ...captcha(input.captchaToken),
  });
  if (error !== null) throw error;
}

/** True where the mails hold a code beside the link: ours do, a hosted service's need not. */
export const mailsIncludeCode = isEmbedded;

/** What a mail carries: its link's token, or its six digits for the address it went to. */
type Proof = { token_hash: string } | { email: string; token: string };

/** Signs in with what a mail brought. `needsPassword`: the account has no password that could be kept, so choosing one is next. */
async function verify(type: 'signup' | 'recovery', proof: Proof): Promise<{ needsPassword: boolean }> {
  const { auth } = await authClient();
  const { data, error } = await auth.verifyOtp({ type, ...proof, ...signUpSecretFor(type) });
  if (error !== null) throw error;
  if (type === 'signup') clearSignUpSecret(store);
  return { needsPassword: data.user?.app_metadata['has_password'] === false };
}

export const verifyCode = (input: { email: string; code: string; type: 'signup' | 'recovery' }) =>
  verify(input.type, { email: input.email, token: input.code.replaceAll(' ', '') });

export const verifyMailLink = (input: { tokenHash: string; type: 'signup' | 'recovery' }) =>
  verify(input.type, { token_hash: input.tokenHash });

/** What shows that this browser made the sign-up; nothing for other mails and in other browsers. */
export function signUpSecretFor(type: 'signup' | 'recovery'): { sign_up_secret?: string } {
  const secret = isEmbedded && type === 'signup' ? readSignUpSecret(store) : null;
  return secret === null ? {} : { sign_up_secret: secret };
}

/** `currentPassword`: '' where a code from a mail stands for it. */
export async function changePassword(input: { password: string; currentPassword: string }): Promise<void> {
  const { auth } = await authClient();
  const current = input.currentPassword === '' ? {} : { current_password: input.currentPassword };
  const { error } = await auth.updateUser({ password: input.password, ...current });
  if (error !== null) throw error;
}

/** True where the service takes no new accounts. Nobody waits for the answer, and no answer means that it does. */
export async function isSignUpClosed(): Promise<boolean> {
  const response = await fetch(`${config.auth.url}/auth/v1/settings`, { headers: { apikey: config.auth.key } });
  const settings = await response.json();
  return settings?.disable_signup === true;
}

/** The service's message, or a sentence for the case that there was no answer at all. */
export function authErrorMessage(error: unknown): string {
  if (error === null) return '';
  const text = error instanceof Error ? error.message : '';
  const noAnswer = text === '' || text === '{}' || error instanceof TypeError || text.startsWith('Failed to fetch');
  return noAnswer ? 'The sign-in service did not answer. Check your connection and try again.' : text;
}

/** The service's stable word for what went wrong; '' where it gave none. */
export const authErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** True where the service wants the address confirmed first: the page then offers a new mail. */
export const isEmailUnconfirmed = (error: unknown): boolean => authErrorCode(error) === 'email_not_confirmed';

/** True where the current password is missing or wrong: the message belongs beside its field. */
export const isCurrentPasswordError = (error: unknown): boolean => authErrorCode(error).startsWith('current_password_');
