import { desc, eq, sql, type SQL } from 'drizzle-orm';
import { LINK_CHANGES_MAX } from '#contract/limits.ts';
import type { Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { link_changes } from '#worker/db/schema-tags.ts';
import { links } from '#worker/db/schema.ts';
import type { OwnLink } from './own-link.ts';

/** A link at one time. Times in ms. */
export type LinkState = Pick<OwnLink, 'target' | 'expiresAt' | 'status' | 'title' | 'note' | 'forwardParams'>;
/** `keyName` is the API key that made the change; '' for the owner's own pages. */
export type LinkChangeRecord = { at: number; keyName: string; before: LinkState; after: LinkState };

/**
 * The statements that keep what a change is about to replace, for the batch that changes the links, before the change. `where`
 * selects the links that it will change. The oldest records of a link with many are deleted.
 */
export function recordChange(where: SQL, keyName: string, now: number): Statement[] {
  return [
    sql`delete from ${link_changes} where at <= (select at from ${link_changes} as older where older.link_id = ${link_changes}.link_id
        order by at desc limit 1 offset ${LINK_CHANGES_MAX - 1})
      and link_id in (select ${links}.id from ${links} where ${where})`,
    sql`insert or ignore into ${link_changes} (link_id, at, key_name, target, expires_at, status, title, note, forward_params)
      select ${links}.id, ${now}, ${keyName}, target, expires_at, status, title, note, forward_params from ${links} where ${where}`,
  ];
}

/** The changes that the owner of a link has made to it, the last one first. */
export async function readHistory(db: Db, link: OwnLink): Promise<LinkChangeRecord[]> {
  const rows = await db.select().from(link_changes).where(eq(link_changes.link_id, link.id)).orderBy(desc(link_changes.at)).all();
  let after: LinkState = link;
  return rows.map(({ at, key_name, target, expires_at, status, title, note, forward_params }) => {
    const before = { target, expiresAt: expires_at, status, title, note, forwardParams: forward_params };
    const change = { at, keyName: key_name, before, after };
    after = before;
    return change;
  });
}
