import { SignInServiceDown } from './tokens/verify.ts';

/**
 * Whether the hosted service says that this token's owner has confirmed this address. Asked only for an address that
 * would make somebody an administrator: the token alone does not tell, and `user_metadata` is the person's to write.
 * Throws where the service cannot be asked.
 */
export async function hasConfirmedEmail(env: Env, token: string, userId: string, email: string): Promise<boolean> {
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
  return id === userId && typeof address === 'string' && address.toLowerCase() === email && typeof confirmedAt === 'string';
}
