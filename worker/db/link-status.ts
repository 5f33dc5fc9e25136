import { sql, type SQL } from 'drizzle-orm';
import { customType } from 'drizzle-orm/sqlite-core';
import type { LinkStatus } from '#contract/links/past-status.ts';

/**
 * The status of a link. An active link with a password or a click limit is stored as 'guarded', one
 * with a start date or rules as 'conditional', so that a Worker of a release that does not know them
 * does not redirect it (docs/decisions.md#d65, #d66). Triggers write both, and queries of Drizzle
 * return them as 'active'.
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
  sql.raw(`${table}.status in ('active', 'conditional', 'guarded')`);

/** A row's status in SQL as Drizzle returns it. */
export const shownStatus = (): SQL<LinkStatus> =>
  sql<LinkStatus>`iif(links.status in ('conditional', 'guarded'), 'active', links.status)`;
