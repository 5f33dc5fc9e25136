import type { OwnLink } from './own-link.ts';

/**
 * Why a link is disabled, as its owner reads it; null while it is active. Visitors read only a
 * reason that moderation has given.
 */
export function describeDisabled({
  status,
  disabledBy,
  disabledReason,
}: Pick<OwnLink, 'status' | 'disabledBy' | 'disabledReason'>): string | null {
  if (status === 'active') return null;
  return disabledBy === 'owner'
    ? 'You disabled this link.'
    : (disabledReason ?? 'This link has been disabled.');
}
