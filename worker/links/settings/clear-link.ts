import { sql, type SQL } from 'drizzle-orm';
import { LINK_SETTINGS } from '#contract/links/link-settings.ts';
import { clearSettings } from '#worker/db/link-settings.ts';
import { NOTES, PUBLISHED } from './link-settings.ts';

/** Published settings that reveal something about the target. */
const ABOUT_TARGET = PUBLISHED.filter((name) => LINK_SETTINGS[name].kind !== 'time');

/** The assignments that clear where a deleted link led to. */
export const clearTarget = (): SQL =>
  sql`target = '', target_host = '', limit_id = '', ${clearSettings(ABOUT_TARGET)}`;

/** The assignments that clear what the owner, or the service it came from, noted about a link. */
export const clearNotes = (): SQL =>
  sql`external_id = null, ${clearSettings(NOTES)}, imported_clicks = null, imported_from = null`;
