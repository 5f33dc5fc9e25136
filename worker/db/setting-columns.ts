import { integer, text } from 'drizzle-orm/sqlite-core';
import type { RedirectStatus } from '#contract/links/rule-conditions.ts';
import type { WatchMode } from '#contract/links/watch.ts';

/** The columns that `links` and the history in `link_changes` have alike: settings of a link. */
export const makeSettingColumns = () => ({
  expires_at: integer(),
  /**
   * Query parameters that redirects add to the target: '' for none, '*' for all, or names
   * separated by commas.
   */
  forward_params: text().notNull().default(''),
  /** When the link begins to redirect; null if it has no start. */
  starts_at: integer(),
  /** Where the link leads after its end; '' for nowhere. */
  fallback_url: text().notNull().default(''),
  redirect_status: integer().$type<RedirectStatus>().notNull().default(302),
  /** The link's rules as JSON (contract/links/rule-conditions.ts); '' for none. */
  rules: text().notNull().default(''),
  /** The scrypt hash of the password that visitors enter; '' for none. */
  password_hash: text().notNull().default(''),
  /** How many redirects the link makes; null for no limit. */
  click_limit: integer(),
  /** Whether the link redirects while the object that counts cannot be reached. */
  limit_open: integer({ mode: 'boolean' }).notNull().default(false),
  /** The link's variants as JSON (contract/links/link-variants.ts); '' for none. */
  variants: text().notNull().default(''),
  /** Whether its destination is checked (worker/watch). */
  watch: text().$type<WatchMode>().notNull().default('off'),
  /** Where it leads while its destination is dead: an href, 'archive', or '' to lead there still. */
  watch_fallback: text().notNull().default(''),
});
