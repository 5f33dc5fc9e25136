import { and, eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { SignalName } from '#contract/system.ts';
import { MINUTE_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { system_facts } from '#worker/db/schema-system.ts';
import { ALERT, saveFact } from '#worker/db/system-facts.ts';

/**
 * Which alerts have been sent, so that each alert and its end is sent once, whichever invocations
 * check at the same time. D1 decides that exactly. While D1 fails or has an old schema, KV
 * remembers the alerts: a second message is then possible, but not one a minute.
 */
export type AlertState = {
  /** True if the caller must send the alert. `since` in ms. */
  claim: (signal: SignalName, since: number) => Promise<boolean>;
  /** When the alert began, if the caller must send its end; otherwise null. */
  claimEnd: (signal: SignalName) => Promise<number | null>;
  /** Records whether the message of a claim was delivered. If not, the next check tries again. */
  settle: (signal: SignalName, kind: 'begin' | 'end', wasDelivered: boolean) => Promise<void>;
};

/** The alerts that KV remembers, and when each began. Times in ms. */
export type KvAlerts = { writtenAt: number; since: Record<string, number> };

const KEY = 'system:alerts';
const ADOPTED = 'alerts-adopted';
/**
 * An invocation that has not sent its message within this time is dead, and another may send it.
 */
const LEASE_MS = 2 * MINUTE_MS;
const schema = z.object({ writtenAt: z.number(), since: z.record(z.string(), z.number()) });
/** Alerts that this isolate has sent while neither D1 nor KV could store them. */
const unstored = new Map<string, number>();

export async function readKvAlerts(kv: KVNamespace): Promise<KvAlerts> {
  const none: KvAlerts = { writtenAt: 0, since: {} };
  const text = await kv.get(KEY);
  return text === null ? none : (schema.safeParse(JSON.parse(text)).data ?? none);
}

/**
 * The state of alerts in D1. A row's `since` is when its alert began. Its `value` is 'sent', or
 * 'begin:' or 'end:' and the time of an attempt to send.
 */
export function alertsInD1(db: Db, now: number): AlertState {
  const nameOf = (signal: string): string => ALERT + signal;
  const isStale = (prefix: string) =>
    sql`${system_facts.value} like ${`${prefix}:%`} and cast(substr(${system_facts.value}, ${prefix.length + 2}) as integer) < ${now - LEASE_MS}`;
  return {
    async claim(signal, since) {
      const claimed = await db
        .insert(system_facts)
        .values({ name: nameOf(signal), at: since, value: `begin:${now}` })
        .onConflictDoUpdate({
          target: system_facts.name,
          set: { value: `begin:${now}` },
          setWhere: isStale('begin'),
        })
        .returning({ name: system_facts.name });
      return claimed.length > 0;
    },
    async claimEnd(signal) {
      // Nobody was told of an alert that could not be sent.
      await db
        .delete(system_facts)
        .where(and(eq(system_facts.name, nameOf(signal)), isStale('begin')));
      const [claimed] = await db
        .update(system_facts)
        .set({ value: `end:${now}` })
        .where(
          and(
            eq(system_facts.name, nameOf(signal)),
            sql`(${system_facts.value} = 'sent' or ${isStale('end')})`,
          ),
        )
        .returning({ at: system_facts.at });
      return claimed?.at ?? null;
    },
    async settle(signal, kind, wasDelivered) {
      const row = eq(system_facts.name, nameOf(signal));
      if (kind === 'end' && wasDelivered) await db.delete(system_facts).where(row);
      else if (kind === 'end' || wasDelivered)
        await db.update(system_facts).set({ value: 'sent' }).where(row);
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
      return since[signal] ?? null;
    },
    async settle(signal, kind, wasDelivered) {
      if ((kind === 'begin') === wasDelivered) return;
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
