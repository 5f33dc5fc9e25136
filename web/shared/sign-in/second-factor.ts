import type { FactorStatus } from '#contract/sign-in/second-factor.ts';
import { ask } from './auth-api.ts';
import { callAuth } from './call-auth.ts';

/** What the setup of an app shows: the text and the address of its QR code. */
export type NewApp = { id: string; totp: { secret: string; uri: string } };

export const loadFactor = (): Promise<FactorStatus> => callAuth('GET', '/factors');

export const beginApp = (currentPassword: string): Promise<NewApp> =>
  callAuth('POST', '/factors', { factor_type: 'totp', current_password: currentPassword });

/** Enters a code of an app, which turns the app on or verifies the second factor. */
export async function enterCode(factorId: string, code: string): Promise<void> {
  // The service needs no challenge.
  await ask((auth) => auth.mfa.verify({ factorId, challengeId: '', code }));
}

/** Enters a code for the account that is signed in or waits for its second factor. */
export async function verifyOwnFactor(code: string): Promise<void> {
  const { session } = await ask((auth) => auth.getSession());
  const known = session?.user.factors?.[0]?.id;
  await enterCode(known ?? (await loadFactor()).factor?.id ?? '', code);
}

export async function createRecoveryCodes(currentPassword: string): Promise<string[]> {
  const body = { current_password: currentPassword };
  const answer = await callAuth<{ recovery_codes: string[] }>(
    'POST',
    '/factors/recovery-codes',
    body,
  );
  return answer.recovery_codes;
}

export const removeApp = (factorId: string, currentPassword: string): Promise<unknown> =>
  callAuth('DELETE', `/factors/${factorId}`, { current_password: currentPassword });

/** Asks for a reset, with the token of the sign-in that waits for its code. */
export async function askForReset(): Promise<string> {
  const { session } = await ask((auth) => auth.getSession());
  const token = session?.access_token ?? '';
  const answer = await callAuth<{ ready_at: string }>('POST', '/factors/reset', {}, token);
  return answer.ready_at;
}

export const followResetLink = (
  type: 'factor_stop' | 'factor_off',
  token: string,
): Promise<unknown> =>
  callAuth('POST', `/factors/reset/${type === 'factor_stop' ? 'stop' : 'finish'}`, { token }, '');
