/** How many faults are kept, and how much of each: enough to see what is wrong, never enough to fill the database. */
export const FAULTS_MAX = 500;
const BODY_MAX = 2_000;

/** Sets messages aside that cannot be counted, for a person to look at. The oldest make room. Throws when D1 does. */
export async function storeFaults(db: D1Database, bodies: readonly unknown[], reason: string, now: number): Promise<void> {
  if (bodies.length === 0) return;
  const texts = bodies.map((body) => textOf(body).slice(0, BODY_MAX));
  await db.batch([
    db
      .prepare('INSERT INTO click_faults (at, reason, body) SELECT ?1, ?2, value FROM json_each(?3)')
      .bind(now, reason, JSON.stringify(texts)),
    db.prepare('DELETE FROM click_faults WHERE id <= (SELECT max(id) FROM click_faults) - ?1').bind(FAULTS_MAX),
  ]);
}

function textOf(body: unknown): string {
  try {
    return JSON.stringify(body, withoutPerson) ?? String(body);
  } catch {
    return String(body);
  }
}

/** Visitor marks end after 48 hours and user agents are never stored as sent: of both a fault tells the length only. */
function withoutPerson(key: string, value: unknown): unknown {
  return (key === 'k' || key === 'ua') && typeof value === 'string' ? `${value.length} characters` : value;
}
