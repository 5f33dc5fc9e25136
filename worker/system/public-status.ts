import type { Signal, SignalName } from '#contract/system/system.ts';
import { STATUS_PARTS, type StatusPart, type StatusState } from '#worker/messages/status.ts';
import { evaluateMail } from './evaluate-traffic.ts';
import type { Facts } from './facts.ts';

/** What the status page shows. `checkedAt` in ms since 1970. */
export type PublicStatus = {
  checkedAt: number;
  parts: { part: StatusPart; state: StatusState }[];
};

/**
 * Returns what anybody may know of the signals: whether the parts of the product that people see
 * work, without figures, names or reasons. `hasMail` is true if this deployment sends mails.
 */
export function publicStatus(
  { now, databaseMs, edgeStoreMs, stored }: Facts,
  signals: readonly Signal[],
  hasMail: boolean,
): PublicStatus {
  const bad = new Set(signals.filter(({ state }) => state === 'bad').map(({ signal }) => signal));
  const isAnyBad = (...names: SignalName[]): boolean => names.some((name) => bad.has(name));
  const limitedIf = (isLimited: boolean): StatusState => (isLimited ? 'limited' : 'works');
  const hasDatabase = databaseMs !== null;
  const states: Record<StatusPart, StatusState> = {
    // Links in KV redirect without D1, and without KV redirects read D1.
    redirects:
      !hasDatabase && edgeStoreMs === null
        ? 'down'
        : limitedIf(!hasDatabase || isAnyBad('edge-store', 'errors')),
    site: !hasDatabase || bad.has('schema') ? 'down' : limitedIf(isAnyBad('database', 'errors')),
    changes: stored === null ? 'unknown' : limitedIf(isAnyBad('cron', 'outbox', 'edge-store')),
    clicks: limitedIf(!hasDatabase || isAnyBad('database', 'queue', 'dead-letters', 'lost-clicks')),
    mail: stored === null ? 'unknown' : limitedIf(evaluateMail(stored, now).state === 'bad'),
  };
  const parts = STATUS_PARTS.filter((part) => part !== 'mail' || hasMail);
  return { checkedAt: now, parts: parts.map((part) => ({ part, state: states[part] })) };
}
