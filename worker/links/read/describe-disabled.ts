import { DISABLED_MESSAGES } from '#worker/messages/links.ts';
import type { OwnLink } from './own-link.ts';

/**
 * Returns why a link is disabled, as its owner reads it; null while it is active. Visitors only see
 * reasons that moderation gave.
 */
export function describeDisabled({
  status,
  disabledBy,
  disabledReason,
}: Pick<OwnLink, 'status' | 'disabledBy' | 'disabledReason'>): string | null {
  if (status === 'active') return null;
  return disabledBy === 'owner'
    ? DISABLED_MESSAGES.by_owner
    : (disabledReason ?? DISABLED_MESSAGES.by_us);
}
