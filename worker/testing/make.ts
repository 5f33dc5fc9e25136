import { env } from 'cloudflare:test';
import { SignJWT } from 'jose';
import { openDb } from '#worker/db/client.ts';
import { subscriptions, users } from '#worker/db/schema-users.ts';
import { PLANS, type PlanType } from '#contract/site.ts';

export type Person = { id: string; email: string; headers: Record<string, string> };

/** Creates a user with a subscription and a real, verifiable token. */
export async function makePerson(
  options: { role?: 'user' | 'admin'; plan?: PlanType; usage?: number; now?: number } = {},
): Promise<Person> {
  const now = options.now ?? Date.now();
  const id = crypto.randomUUID();
  const email = `${id.slice(0, 8)}@example.com`;
  const db = openDb(env.DB);
  const plan = options.plan ?? 'free';
  await db.batch([
    db
      .insert(users)
      .values({ id, email, role: options.role ?? 'user', created_at: now, last_seen_at: now }),
    db.insert(subscriptions).values({
      user_id: id,
      plan,
      monthly_limit: PLANS[plan].monthlyLimit,
      current_usage: options.usage ?? 0,
      cycle_anchor: now,
      billing_cycle_start: now,
      updated_at: now,
    }),
  ]);
  return { id, email, headers: { Authorization: `Bearer ${await makeToken({ sub: id, email })}` } };
}

/**
 * Returns a token as the hosted service signs it (HS256, with the secret of the test
 * configuration). `claims` overrides its claims.
 */
export function makeToken(claims: Record<string, unknown>): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({
    role: 'authenticated',
    session_id: crypto.randomUUID(),
    iss: `${env.SUPABASE_URL}/auth/v1`,
    aud: 'authenticated',
    iat: now,
    exp: now + 3600,
    amr: [{ method: 'password', timestamp: now }],
    ...claims,
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(env.SUPABASE_JWT_SECRET));
}
