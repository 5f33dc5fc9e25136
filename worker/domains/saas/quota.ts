import { sql } from 'drizzle-orm';
import { HOUR_MS } from '#contract/time.ts';
import { system_facts } from '#worker/db/schema-system.ts';
import { saveFact } from '#worker/db/system-facts.ts';
import { countHostnames } from './add-claim.ts';
import type { Quota } from './platform.ts';
import type { SaasTools } from './tools.ts';

const QUOTA_EVERY_MS = HOUR_MS;

/** The fact behind the signal *Domains*. */
export const SAAS_QUOTA = 'saas:quota';

export type QuotaFact = {
  /** How many hostnames members use at the platform. */
  hosts: number;
  /** What the platform last answered; null if it never has. */
  quota: Quota | null;
  /** Since when the platform does not answer; null if it does. */
  silentSince: number | null;
};

/** Stores every hour how much of the platform's quota is used. */
export async function storeQuota({ db, platform }: SaasTools, now: number): Promise<void> {
  const [stored] = await db.all<{ at: number; value: string }>(
    sql`select at, value from ${system_facts} where name = ${SAAS_QUOTA}`,
  );
  if (stored !== undefined && now - stored.at < QUOTA_EVERY_MS) return;
  const answer = await platform.readQuota();
  const { hosts } = await db.get<{ hosts: number }>(sql`select ${countHostnames()} as hosts`);
  const before: QuotaFact | null = stored === undefined ? null : JSON.parse(stored.value);
  const fact: QuotaFact = answer.ok
    ? { hosts, quota: answer.value, silentSince: null }
    : { hosts, quota: before?.quota ?? null, silentSince: before?.silentSince ?? now };
  await saveFact(db, { name: SAAS_QUOTA, at: now, value: JSON.stringify(fact) });
}
