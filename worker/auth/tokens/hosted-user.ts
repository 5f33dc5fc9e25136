import { SignInServiceDown } from './verify-access-token.ts';

/**
 * Asks the hosted service whether the owner of this token has confirmed this address. The token
 * does not contain it, and users can write `user_metadata` themselves. Called only before the
 * address makes somebody an administrator. Throws SignInServiceDown.
 */
export async function hasConfirmedEmail(
  env: Env,
  token: string,
  userId: string,
  email: string,
): Promise<boolean> {
  const url = `${env.SUPABASE_URL.replace(/\/+$/, '')}/auth/v1/user`;
  const headers = { apikey: env.SUPABASE_PUBLISHABLE_KEY, Authorization: `Bearer ${token}` };
  let response: Response;
  let user: unknown;
  try {
    response = await fetch(url, { headers, signal: AbortSignal.timeout(5000), redirect: 'manual' });
    user = response.ok ? await response.json() : null;
  } catch (error) {
    throw new SignInServiceDown(error);
  }
  if (response.status >= 500) throw new SignInServiceDown(new Error(`status ${response.status}`));
  return isConfirmed(user, userId, email);
}

function isConfirmed(user: unknown, userId: string, email: string): boolean {
  if (typeof user !== 'object' || user === null) return false;
  if (!('id' in user && 'email' in user && 'email_confirmed_at' in user)) return false;
  const { id, email: address, email_confirmed_at: confirmedAt } = user;
  return (
    id === userId &&
    typeof address === 'string' &&
    address.toLowerCase() === email &&
    typeof confirmedAt === 'string'
  );
}
