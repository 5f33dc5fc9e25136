import { eq } from 'drizzle-orm';
import { verifyAccessToken } from '#worker/auth/verify.ts';
import type { Db } from '#worker/db/client.ts';
import { users } from '#worker/db/schema.ts';
import type { Identity } from './context.ts';
import { ApiError } from './problem.ts';

/**
 * Who sent this request. Only the verified bearer token counts: `x-user-id` and `x-user-email` are not read.
 * The role comes from the database on every request, so a demotion acts at once (decision 2).
 * Returns null without an Authorization header; throws 401 for a token that does not verify.
 */
export async function identify(request: Request, env: Env, db: Db, now: number): Promise<Identity | null> {
  const header = request.headers.get('Authorization');
  if (header === null) return null;
  const token = header.startsWith('Bearer ') ? await verifyAccessToken(header.slice(7), env, request.url, now) : null;
  if (token === null) throw new ApiError('unauthenticated', 'Your session is no longer valid. Please sign in again.');
  const known = await db.select().from(users).where(eq(users.id, token.userId)).get();
  const admin = token.emailVerified && adminEmails(env).has(token.email);
  if (known === undefined) {
    const role = admin ? 'admin' : 'user';
    await db
      .insert(users)
      .values({ id: token.userId, email: token.email, role, created_at: now, last_seen_at: now })
      .onConflictDoNothing();
    return { id: token.userId, email: token.email, role, sessionId: token.sessionId };
  }
  return { id: known.id, email: token.email, role: known.role, sessionId: token.sessionId };
}

function adminEmails(env: Env): ReadonlySet<string> {
  return new Set(
    env.ADMIN_EMAILS.split(',')
      .map((email) => email.trim().toLowerCase())
      .filter((email) => email !== ''),
  );
}
