import { config } from '#web/shared/config.ts';
import { authClient } from '#web/shared/session.ts';

/** Where the links of the service's mails lead back to. */
const backTo = (path: string): string => window.location.origin + path;
const confirmed = (next: string): string => backTo(`/auth?next=${encodeURIComponent(next)}`);

/** Each call throws the service's own words on failure (spec §8), and answers what the page shows next. */
export async function signIn(input: { email: string; password: string }): Promise<void> {
  const { auth } = await authClient();
  const { error } = await auth.signInWithPassword(input);
  if (error !== null) throw error;
}

/** `confirm`: a mail with a link is on its way and there is no session yet. */
export async function signUp(input: { email: string; password: string; next: string }): Promise<{ confirm: boolean }> {
  const { auth } = await authClient();
  const { data, error } = await auth.signUp({
    email: input.email,
    password: input.password,
    options: { emailRedirectTo: confirmed(input.next) },
  });
  if (error !== null) throw error;
  return { confirm: data.session === null };
}

export async function resendConfirmation(input: { email: string; next: string }): Promise<void> {
  const { auth } = await authClient();
  const { error } = await auth.resend({
    type: 'signup',
    email: input.email,
    options: { emailRedirectTo: confirmed(input.next) },
  });
  if (error !== null) throw error;
}

export async function sendRecovery(email: string): Promise<void> {
  const { auth } = await authClient();
  const { error } = await auth.resetPasswordForEmail(email, { redirectTo: backTo('/auth/reset') });
  if (error !== null) throw error;
}

/** True where the mails hold a code beside the link: ours do, a hosted service's need not. */
export const mailsHoldCodes = config.auth.mode === 'embedded';

/** Signs in with the six digits of a mail. */
export async function enterCode(input: { email: string; code: string; type: 'signup' | 'recovery' }): Promise<void> {
  const { auth } = await authClient();
  const { error } = await auth.verifyOtp({ email: input.email, token: input.code.replaceAll(' ', ''), type: input.type });
  if (error !== null) throw error;
}

export async function changePassword(password: string): Promise<void> {
  const { auth } = await authClient();
  const { error } = await auth.updateUser({ password });
  if (error !== null) throw error;
}

/** True where the service takes no new accounts. Nobody waits for the answer, and no answer means that it does. */
export async function signUpIsClosed(): Promise<boolean> {
  const response = await fetch(`${config.auth.url}/auth/v1/settings`, { headers: { apikey: config.auth.key } });
  const settings = await response.json();
  return settings?.disable_signup === true;
}

/** The service's message, or a sentence for the case that there was no answer at all. */
export function messageOf(error: unknown): string {
  if (error === null) return '';
  const text = error instanceof Error ? error.message : '';
  const noAnswer = text === '' || text === '{}' || error instanceof TypeError || text.startsWith('Failed to fetch');
  return noAnswer ? 'The sign-in service did not answer. Check your connection and try again.' : text;
}

/** True where the service wants the address confirmed first: the page then offers a new mail. */
export const wantsConfirmation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'email_not_confirmed';
