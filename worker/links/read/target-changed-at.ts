/**
 * In SQL, when the target of a row of `links` last changed, in ms; null for never. The column is
 * null for changes under a release that does not keep it, and older than the last change after such
 * a release ran again. The history then has that change.
 */
export const TARGET_CHANGED_AT = `nullif(max(coalesce(links.target_changed_at, 0), coalesce((SELECT max(former.at)
  FROM link_changes AS former WHERE former.link_id = links.id AND former.target <> links.target), 0)), 0)`;
