import { sql, type SQL } from 'drizzle-orm';
import { customType } from 'drizzle-orm/sqlite-core';
import type { LinkStatus } from '#contract/past-status.ts';

/**
 * The status of a link. An active link with a start date or rules is stored as 'conditional', so
 * that a Worker of a release that knows neither does not redirect it (docs/decisions.md#d65).
 * Triggers write it, and queries of Drizzle return it as 'active'.
 */
export const storedLinkStatus = customType<{ data: LinkStatus; driverData: string }>({
  dataType: () => 'text',
  fromDriver: toLinkStatus,
});

export function toLinkStatus(stored: string): LinkStatus {
  return stored === 'disabled' || stored === 'deleted' ? stored : 'active';
}

/** True in SQL if a row of `links` is active, with or without conditions. */
export const isActive = (table = 'links'): SQL =>
  sql.raw(`${table}.status in ('active', 'conditional')`);

/** A row's status in SQL as Drizzle returns it. */
export const shownStatus = (table = 'links'): SQL<LinkStatus> =>
  sql<LinkStatus>`${sql.raw(`iif(${table}.status = 'conditional', 'active', ${table}.status)`)}`;
