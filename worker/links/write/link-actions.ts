import { sql, type SQL } from 'drizzle-orm';
import type { LinkActionName } from '#contract/links.ts';
import type { LinkEvent } from '#contract/webhooks.ts';
import type { Statement } from '#worker/db/batch.ts';
import { links } from '#worker/db/schema-links.ts';
import { link_tags } from '#worker/db/schema-tags.ts';
import { isHeld } from '#worker/edge/link-holds.ts';
import { recordChange } from '#worker/links/read/link-history.ts';

/** An action that changes the redirect of a link. */
export type RedirectAction = {
  event: LinkEvent;
  /** True in SQL while the action can be applied to the link. */
  isApplicable: SQL;
  /** The assignments of the update. */
  set: (expiresAt: number | null) => SQL;
  /** A link with this status needs no change. */
  doneStatus?: string;
  /** The action is for links in the trash. */
  isFromTrash?: true;
  /** Stopping a link is never limited, because starting it again is. */
  stops?: true;
  /** The link starts again, so its target is checked for harm: now, and by a job. */
  starts?: true;
  /** A link on hold gets an error that says so. */
  namesHold?: true;
};

/**
 * Returns the statements of an action that no redirect depends on. `tags` is a list of tag ids in
 * SQL.
 */
export type DetailAction = (to: {
  isAllowed: SQL;
  tags: SQL;
  /** The API key that acts; '' for the owner's own pages. */
  keyName: string;
  now: number;
}) => Statement[];

export const isListed = sql`${links}.status <> 'deleted'`;
const isOwnersDisabling = sql`${links}.disabled_by = 'owner'`;
const isTagged = sql`exists (select 1 from ${link_tags} where link_id = ${links}.id and tag_id = tag.value)`;

const setFlag =
  (assignment: SQL): DetailAction =>
  ({ isAllowed, now }) => [
    sql`update ${links} set ${assignment}, updated_at = ${now} where ${isAllowed} and ${isListed}`,
  ];

const setArchived =
  (archived: number): DetailAction =>
  (to) => [
    ...recordChange(
      sql`${to.isAllowed} and ${isListed} and ${links}.archived <> ${archived}`,
      to.keyName,
      to.now,
    ),
    ...setFlag(sql`archived = ${archived}`)(to),
  ];

/** `isOther` is true in SQL for a tag that the action adds to a link or removes from it. */
const setTags =
  (isOther: SQL, write: (tags: SQL, isAllowed: SQL) => SQL): DetailAction =>
  ({ isAllowed, tags, keyName, now }) => [
    ...recordChange(
      sql`${isAllowed} and ${isListed} and exists (select 1 from ${tags} as tag where ${isOther})`,
      keyName,
      now,
    ),
    write(tags, isAllowed),
  ];

export const ACTIONS: Readonly<Record<LinkActionName, RedirectAction | DetailAction>> = {
  disable: {
    event: 'link.disabled',
    isApplicable: sql`${links}.status = 'active'`,
    set: () => sql`status = 'disabled', disabled_by = 'owner', disabled_reason = null`,
    doneStatus: 'disabled',
    stops: true,
    namesHold: true,
  },
  enable: {
    event: 'link.updated',
    isApplicable: sql`${links}.status = 'disabled' and ${isOwnersDisabling}`,
    set: () => sql`status = 'active', disabled_by = null, disabled_reason = null`,
    doneStatus: 'active',
    starts: true,
    namesHold: true,
  },
  set_end: {
    event: 'link.updated',
    isApplicable: sql`(${links}.status = 'active' or ${isOwnersDisabling}) and ${isListed}`,
    set: (expiresAt) => sql`expires_at = ${expiresAt}`,
    namesHold: true,
  },
  delete: {
    event: 'link.deleted',
    isApplicable: isListed,
    set: () => sql`status = 'deleted'`,
    stops: true,
  },
  restore: {
    // Receivers have deleted the link.
    event: 'link.created',
    isApplicable: sql`${links}.released_at is null and ${links}.status = 'deleted' and not ${isHeld()}`,
    // A link that its owner had disabled stays disabled; links on hold are excluded by
    // `isApplicable`. The external id is removed if another link has it by now.
    set: () => sql`status = iif(disabled_by = 'owner', 'disabled', 'active'),
      disabled_by = iif(disabled_by = 'owner', 'owner', null), disabled_reason = null,
      external_id = iif(exists (select 1 from ${links} as other where other.user_id = ${links}.user_id
        and other.external_id = ${links}.external_id and other.status <> 'deleted'), null, external_id)`,
    isFromTrash: true,
    starts: true,
  },
  archive: setArchived(1),
  unarchive: setArchived(0),
  favorite: setFlag(sql`favorite = 1`),
  unfavorite: setFlag(sql`favorite = 0`),
  add_tags: setTags(
    sql`not ${isTagged}`,
    (tags, isAllowed) => sql`insert or ignore into ${link_tags} (link_id, tag_id, link_created_at)
      select ${links}.id, tag.value, ${links}.created_at from ${links}, ${tags} as tag
      where ${isAllowed}`,
  ),
  remove_tags: setTags(
    isTagged,
    (tags, isAllowed) => sql`delete from ${link_tags} where tag_id in ${tags}
      and link_id in (select id from ${links} where ${isAllowed})`,
  ),
};
