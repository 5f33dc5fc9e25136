import { useEffect, useRef } from 'react';
import type { ShortenResponse } from '#contract/links.ts';
import { useInvalidateLinks } from '#web/features/links/queries.ts';
import { useSubscriptionCache } from '#web/features/plans/queries.ts';
import { SubscriptionCard } from '#web/features/plans/subscription-card.tsx';
import { UpgradeDialog } from '#web/features/plans/upgrade-dialog.tsx';
import { withQueryClient } from './query-client.tsx';

/** What Home holds for members alone; visitors do not load it. */
function Member({
  lastLink,
  upgrading,
  onUpgrade,
  onClose,
}: {
  /** The link just made: the card counts it. */
  lastLink: ShortenResponse | null;
  upgrading: boolean;
  onUpgrade: () => void;
  onClose: () => void;
}) {
  const { afterShorten } = useSubscriptionCache();
  const linksChanged = useInvalidateLinks();
  const counted = useRef(lastLink);
  useEffect(() => {
    if (lastLink === null || counted.current === lastLink) return;
    counted.current = lastLink;
    afterShorten(lastLink.usage);
    linksChanged();
  }, [lastLink, afterShorten, linksChanged]);
  return (
    <>
      <SubscriptionCard onUpgrade={onUpgrade} />
      <UpgradeDialog open={upgrading} onClose={onClose} />
    </>
  );
}

export const HomeMember = withQueryClient(Member);
