import { eq } from 'drizzle-orm';
import { hasConfirmedEmail } from '#worker/auth/hosted-user.ts';
import { readStanding, type Standing } from '#worker/auth/live-session.ts';
import { isEmbedded } from '#worker/auth/settings.ts';
import { SignInServiceDown, verifyAccessToken, type VerifiedToken } from '#worker/auth/verify.ts';
import type { Db } from '#worker/db/client.ts';
import { users } from '#worker/db/schema.ts';
import type { Identity } from './context.ts';
import { logEvent } from './log.ts';
import { ApiError } from './problem.ts';

/** How stale `last_seen_at` may be: it is written at most this often, never on every request. In ms. */
const SEEN_EVERY_MS = 3_600_000;

/**
 * Who sent this request. Only the verified bearer token counts: `x-user-id` and `x-user-email` are not read (decision 1).
 * The role comes from the database on every request, so a demotion acts at once (decision 2); so does the session,
 * where it is ours, so that a signed-out one opens nothing.
 * Returns null without an Authorization header; throws 401 for a token that is not valid (any more), 503 where that
 * cannot be found out.
 */
export async function identify(request: Request, env: Env, db: Db, now: number): Promise<Identity | null> {
  const header = request.headers.get('Authorization');
  if (header === null) return null;
  const bearer = header.startsWith('Bearer ') ? header.slice(7) : '';
  const token = bearer === '' ? null : await asked(verifyAccessToken(bearer, env, db, request.url, now));
  if (token === null) throw notValid();
  const standing = await readStanding(db, token, isEmbedded(env), now);
  if (!standing.live) throw notValid();
  const email = standing.account?.email ?? token.email;
  const role = standing.known?.role ?? (await firstRequest(env, db, token, bearer, email, standing, now));
  if (standing.known !== null) await keepUp(db, token.userId, email, standing.known, now);
  return { id: token.userId, email, role, sessionId: token.sessionId };
}

/**
 * Makes the mirror row. An address in ADMIN_EMAILS makes an administrator here and only here, and only if it is
 * verified: by a mail of ours, or by the hosted service's word. Of parallel first requests one inserts, all read.
 */
async function firstRequest(
  env: Env,
  db: Db,
  token: VerifiedToken,
  bearer: string,
  email: string,
  standing: Standing,
  now: number,
): Promise<'user' | 'admin'> {
  const verified = async () => standing.account?.proven ?? (await asked(hasConfirmedEmail(env, bearer, token.userId, email)));
  const role = isAdminEmail(env, email) && (await verified()) ? 'admin' : 'user';
  const row = { id: token.userId, email, role, created_at: now, last_seen_at: now } as const;
  const inserted = await db.insert(users).values(row).onConflictDoNothing().returning().get();
  if (inserted !== undefined) return inserted.role;
  const known = await db.select({ role: users.role }).from(users).where(eq(users.id, token.userId)).get();
  return known?.role ?? 'user';
}

async function keepUp(
  db: Db,
  id: string,
  email: string,
  known: { email: string; lastSeenAt: number },
  now: number,
): Promise<void> {
  if (known.email === email && now - known.lastSeenAt < SEEN_EVERY_MS) return;
  await db.update(users).set({ email, last_seen_at: now }).where(eq(users.id, id));
}

function isAdminEmail(env: Env, email: string): boolean {
  return email !== '' && (env.ADMIN_EMAILS ?? '').split(',').some((admin) => admin.trim().toLowerCase() === email);
}

const notValid = (): ApiError => new ApiError('unauthenticated', 'Your session is no longer valid. Please sign in again.');

async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof SignInServiceDown)) throw error;
    logEvent('sign_in_service_down', { error: error.message });
    throw new ApiError('unavailable', 'The sign-in service cannot be reached just now. Please try again in a moment.', {
      retryAfter: 5,
    });
  }
}
