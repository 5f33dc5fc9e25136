import { sql, type SQL } from 'drizzle-orm';
import type { Finding, HealthState } from '#contract/links/watch.ts';
import { link_health } from './schema-health.ts';
import { links } from './schema-links.ts';

/** What checks have found about a watched link, as D1 has it. Times in ms. */
export type StoredHealth = Finding & {
  state: HealthState;
  checkedAt: number;
  since: number;
  home: string;
  fallback: string;
};

/** True in SQL for the health of the destination that a row of `links` has now. */
const isCurrent = sql`${link_health}.link_id = ${links}.id and ${links}.watch <> 'off'
  and ${links}.target in (${link_health}.home, ${link_health}.fallback)`;

/** SQL for the health of a link as JSON; null if it has not been checked. */
export const healthAsJson: SQL = sql`(select json_object('state', state, 'reason', reason, 'status', ${link_health}.status,
  'checkedAt', checked_at, 'since', since, 'home', home, 'fallback', fallback) from ${link_health} where ${isCurrent})`;

export const healthColumn = sql<string | null>`${healthAsJson}`.mapWith(
  (json: string): StoredHealth | null => JSON.parse(json),
);

/** True in SQL for a link whose destination was last found in this state. */
export const hasHealth = (state: HealthState): SQL =>
  sql`exists (select 1 from ${link_health} where ${isCurrent} and ${link_health}.state = ${state})`;
