import { env } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { users } from '#worker/db/schema-users.ts';
import { makePerson } from '#worker/testing/make.ts';
import { recordVisit } from './user-state.ts';

const db = openDb(env.DB);
const HOUR = 3_600_000;

describe('recordVisit', () => {
  it('stores a new email at once, and the time after an hour', async () => {
    const { id, email } = await makePerson({ now: 1_000 });
    const read = () =>
      db
        .select({ email: users.email, seen: users.last_seen_at })
        .from(users)
        .where(eq(users.id, id))
        .get();
    const known = { email, lastSeenAt: 1_000 };
    await recordVisit(db, { id, email }, known, 1_000 + HOUR - 1);
    expect(await read()).toEqual({ email, seen: 1_000 });
    await recordVisit(db, { id, email }, known, 1_000 + HOUR);
    expect(await read()).toEqual({ email, seen: 1_000 + HOUR });
    await recordVisit(
      db,
      { id, email: 'new@example.com' },
      { email, lastSeenAt: 1_000 + HOUR },
      1_001 + HOUR,
    );
    expect(await read()).toEqual({ email: 'new@example.com', seen: 1_001 + HOUR });
  });

  it('changes nothing for a user who has been suspended since the request began', async () => {
    const { id, email } = await makePerson({ now: 1_000 });
    await db.update(users).set({ suspended_at: 2_000 }).where(eq(users.id, id));
    await recordVisit(db, { id, email: 'new@example.com' }, { email, lastSeenAt: 1_000 }, 3_000);
    expect(await db.select().from(users).where(eq(users.id, id)).get()).toMatchObject({
      email,
      last_seen_at: 1_000,
    });
  });
});
