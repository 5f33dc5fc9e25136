import { and, eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { SignalName } from '#contract/system/system.ts';
import { MINUTE_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { system_facts } from '#worker/db/schema-system.ts';
import { ALERT, saveFact, type SystemFact } from '#worker/db/system-facts.ts';

/**
 * Which alerts have been sent, so that each alert and its end is sent once, whichever invocations
 * check at the same time. D1 decides that exactly. While D1 fails or has an old schema, KV
 * remembers the alerts: a second message is then possible, but not one a minute.
 */
export type AlertState = {
  /** True if the caller must send the alert. `since` in ms. */
  claim: (signal: SignalName, since: number) => Promise<boolean>;
  /**
   * When the alert began, if it has ended; otherwise null. The caller must send its end, unless the
   * alert itself has reached nobody.
   */
  claimEnd: (signal: SignalName) => Promise<{ since: number; wasSent: boolean } | null>;
  /** Records whether the message of a claim has reached somebody. If not, it is sent again. */
  settle: (signal: SignalName, kind: 'begin' | 'end', hasReached: boolean) => Promise<void>;
};

/** The alerts that KV remembers, and when each began. Times in ms. */
export type KvAlerts = { writtenAt: number; since: Record<string, number> };

/** True for an alert in D1 that has been sent and has reached nobody. */
export const isUnsent = ({ name, value }: SystemFact): boolean =>
  name.startsWith(ALERT) && value.startsWith('unsent:');

const KEY = 'system:alerts';
const ADOPTED = 'alerts-adopted';
/**
 * The next attempt to send an alert may follow after this time, in ms: with the second next run of
 * cron, which may come early. An invocation that has not sent its message by then is dead.
 */
const LEASE_MS = 2 * MINUTE_MS - 20_000;
const schema = z.object({ writtenAt: z.number(), since: z.record(z.string(), z.number()) });
/** Alerts that this isolate has sent while neither D1 nor KV could store them. */
const unstored = new Map<string, number>();

export async function readKvAlerts(kv: KVNamespace): Promise<KvAlerts> {
  const none: KvAlerts = { writtenAt: 0, since: {} };
  const text = await kv.get(KEY);
  return text === null ? none : (schema.safeParse(JSON.parse(text)).data ?? none);
}

/**
 * The state of alerts in D1. A row's `at` is when its alert began. Its `value` is 'sent', or the
 * time of the last attempt to send, after 'begin:' for the first one, 'unsent:' if one before it
 * has reached nobody, and 'end:' for the end.
 */
export function alertsInD1(db: Db, now: number): AlertState {
  const nameOf = (signal: string): string => ALERT + signal;
  const isStale = (prefix: string) =>
    sql`${system_facts.value} like ${`${prefix}:%`} and cast(substr(${system_facts.value}, ${prefix.length + 2}) as integer) < ${now - LEASE_MS}`;
  const mayRetry = sql`(${isStale('begin')} or ${isStale('unsent')})`;
  return {
    async claim(signal, since) {
      const claimed = await db
        .insert(system_facts)
        .values({ name: nameOf(signal), at: since, value: `begin:${now}` })
        .onConflictDoUpdate({
          target: system_facts.name,
          set: { value: `unsent:${now}` },
          setWhere: mayRetry,
        })
        .returning({ name: system_facts.name });
      return claimed.length > 0;
    },
    async claimEnd(signal) {
      const row = eq(system_facts.name, nameOf(signal));
      const [unsent] = await db
        .delete(system_facts)
        .where(and(row, mayRetry))
        .returning({ since: system_facts.at });
      if (unsent !== undefined) return { ...unsent, wasSent: false };
      const [claimed] = await db
        .update(system_facts)
        .set({ value: `end:${now}` })
        .where(and(row, sql`(${system_facts.value} = 'sent' or ${isStale('end')})`))
        .returning({ since: system_facts.at });
      return claimed === undefined ? null : { ...claimed, wasSent: true };
    },
    async settle(signal, kind, hasReached) {
      const row = eq(system_facts.name, nameOf(signal));
      const value = kind === 'end' || hasReached ? 'sent' : `unsent:${now}`;
      await (kind === 'end' && hasReached
        ? db.delete(system_facts).where(row)
        : db.update(system_facts).set({ value }).where(row));
    },
  };
}

/** The state of alerts in KV, which holds `known`. KV may serve it up to a minute late. */
export function alertsInKv(kv: KVNamespace, known: KvAlerts, now: number): AlertState {
  const since = { ...known.since, ...Object.fromEntries(unstored) };
  const store = async (): Promise<void> => {
    try {
      await kv.put(KEY, JSON.stringify({ writtenAt: now, since }));
      unstored.clear();
    } catch {
      unstored.clear();
      for (const [signal, at] of Object.entries(since)) unstored.set(signal, at);
    }
  };
  return {
    async claim(signal, at) {
      if (since[signal] !== undefined) return false;
      since[signal] = at;
      await store();
      return true;
    },
    async claimEnd(signal) {
      const at = since[signal];
      return at === undefined ? null : { since: at, wasSent: true };
    },
    async settle(signal, kind, hasReached) {
      if ((kind === 'begin') === hasReached) return;
      delete since[signal];
      await store();
    },
  };
}

/**
 * Moves the alerts that KV and this isolate remember to D1, each once, even though KV may serve the
 * moved alerts for another minute.
 */
export async function adoptKvAlerts(db: Db, kv: KVNamespace, known: KvAlerts): Promise<void> {
  const inKv = Object.entries(known.since);
  if (inKv.length === 0 && unstored.size === 0) return;
  const adopted = await db.select().from(system_facts).where(eq(system_facts.name, ADOPTED)).get();
  const isNew = inKv.length > 0 && known.writtenAt > (adopted?.at ?? 0);
  for (const [signal, at] of [...(isNew ? inKv : []), ...unstored])
    await db
      .insert(system_facts)
      .values({ name: ALERT + signal, at, value: 'sent' })
      .onConflictDoNothing();
  unstored.clear();
  if (isNew) await saveFact(db, { name: ADOPTED, at: known.writtenAt, value: '' });
  if (inKv.length > 0) await kv.delete(KEY).catch(() => undefined);
}
