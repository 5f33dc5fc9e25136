import { sql } from 'drizzle-orm';
import { HOUR_MS } from '#contract/time.ts';
import { recordAction } from '#worker/audit/record-action.ts';
import type { Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { admin_log } from '#worker/db/schema-moderation.ts';
import { links } from '#worker/db/schema-links.ts';
import {
  changedSettings,
  PUBLISHED,
  type PublishedSettings,
} from '#worker/links/settings/link-settings.ts';
import type { LinkActor, OwnLink } from '#worker/links/read/own-link.ts';

type ChangedFields = Pick<OwnLink, 'code' | 'target' | 'externalId' | 'status'> & PublishedSettings;

/** A program may change a link as often as its limit allows; the log says so once for this long. */
const ONCE_IN_MS = HOUR_MS;

/**
 * The statements that record in the audit log that an API key has changed or deleted a link, for
 * the batch of the change. None for a session: a member's own changes are not logged. The entry
 * says what changed and not to what, because targets are the member's own data.
 */
export function recordKeyAction(
  db: Db,
  link: OwnLink,
  fields: ChangedFields & { version: number },
  { actor: { userId, keyName }, now }: { actor: LinkActor; now: number },
): Statement[] {
  if (keyName === null) return [];
  const action = fields.status === 'deleted' ? 'delete_link' : 'change_link';
  const subject = `link:${link.code}`;
  const after = {
    key: keyName,
    ...(action === 'change_link' ? { changed: changesOf(link, fields) } : {}),
  };
  const isDone = sql`exists (select 1 from ${links} where id = ${link.id} and version = ${fields.version} and updated_at = ${now})`;
  const isRecorded = sql`exists (select 1 from ${admin_log} where subject = ${subject} and action = ${action}
    and admin_id = ${userId} and after ->> '$.key' = ${keyName} and at > ${now - ONCE_IN_MS})`;
  return [
    recordAction(
      db,
      { at: now, adminId: userId, action, subject, after },
      sql`${isDone} and not ${isRecorded}`,
    ),
  ];
}

const MEMBERS = {
  code: 'code',
  url: 'target',
  externalId: 'externalId',
  enabled: 'status',
} as const;

const changesOf = (link: OwnLink, fields: ChangedFields): string[] => [
  ...Object.entries(MEMBERS).flatMap(([name, member]) =>
    fields[member] === link[member] ? [] : [name],
  ),
  ...changedSettings(link, fields, PUBLISHED),
];
