import { describeFinding, type LinkHealth } from '#contract/links/watch.ts';
import type { StoredHealth } from '#worker/db/link-health.ts';

/** Converts the health of a link to the form of responses. */
export function showHealth(health: StoredHealth | null, target: string): LinkHealth | null {
  if (health === null) return null;
  const { state, reason, status, checkedAt, since, home, fallback } = health;
  return {
    state,
    reason,
    status,
    detail: describeFinding({ reason, status }),
    checkedAt: new Date(checkedAt).toISOString(),
    since: new Date(since).toISOString(),
    replacedUrl: fallback !== '' && target === fallback ? home : null,
  };
}
