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
    ? 'You disabled this link.'
    : (disabledReason ?? 'This link has been disabled.');
}
