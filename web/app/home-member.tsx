import { useEffect, useRef } from 'react';
import type { ShortenResponse } from '#contract/links.ts';
import { ClaimOffer } from '#web/features/browser-links/claim-offer.tsx';
import { useInvalidateLinks } from '#web/features/links/queries.ts';
import { RecentLinks } from '#web/features/links/recent-links.tsx';
import { useQuotaChange, useSubscriptionCache } from '#web/features/plans/queries.ts';
import { SubscriptionCard } from '#web/features/plans/subscription-card.tsx';
import { UpgradeDialog } from '#web/features/plans/upgrade-dialog.tsx';
import { AdSlot, RESULT_AD } from '#web/shared/ad-slot.tsx';
import { withQueryClient } from './query-client.tsx';

/** The members' part of the home page. Visitors do not load it. */
function Member({
  lastLink,
  upgrading,
  onUpgrade,
  onClose,
  onQuotaChange,
}: {
  /** The link just created; the card adds it to the usage. */
  lastLink: ShortenResponse | null;
  upgrading: boolean;
  onUpgrade: () => void;
  onClose: () => void;
  onQuotaChange: () => void;
}) {
  useQuotaChange(onQuotaChange);
  const { afterShorten } = useSubscriptionCache();
  const invalidateLinks = useInvalidateLinks();
  const countedLink = useRef(lastLink);
  useEffect(() => {
    if (lastLink === null || countedLink.current === lastLink) return;
    countedLink.current = lastLink;
    afterShorten(lastLink.usage);
    invalidateLinks();
  }, [lastLink, afterShorten, invalidateLinks]);
  return (
    <>
      <ClaimOffer
        onClaimed={() => {
          afterShorten(undefined);
          invalidateLinks();
        }}
      />
      <SubscriptionCard onUpgrade={onUpgrade} />
      <RecentLinks shown={lastLink?.code} />
      {lastLink !== null && <AdSlot place="result" label={RESULT_AD} />}
      <UpgradeDialog open={upgrading} onClose={onClose} />
    </>
  );
}

export const HomeMember = withQueryClient(Member);
