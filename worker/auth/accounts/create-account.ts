import type { Db } from '#worker/db/client.ts';
import { hashPassword } from '#worker/auth/password/password.ts';
import type { ScryptParams } from '#worker/auth/password/scrypt-params.ts';
import { insertAccount, newAccount } from '#worker/auth/service/store.ts';

/** `id` is random if it is missing; `now` is in ms since 1970. */
export type AccountInput = {
  email: string;
  password: string;
  confirmed: boolean;
  now: number;
  id?: string;
};

/**
 * Creates an account without a sign-up, for demo data and tests. `confirmed` also marks the mailbox
 * as proven. Returns the account's id; null if the address already has an account, or if the hash
 * queue is full.
 */
export async function createAccount(
  db: Db,
  input: AccountInput,
  params?: ScryptParams,
): Promise<string | null> {
  const { confirmed, now, id } = input;
  const passwordHash = await hashPassword(null, input.password, params);
  if (passwordHash === null) return null;
  const row = newAccount({
    email: input.email.toLowerCase(),
    passwordHash,
    metadata: {},
    confirmed,
    now,
    ...(id === undefined ? {} : { id }),
  });
  const created = await insertAccount(db, {
    ...row,
    confirmation_sent_at: now,
    proven_at: confirmed ? now : null,
  });
  return created?.id ?? null;
}
