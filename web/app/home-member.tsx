import { useEffect, useRef } from 'react';
import type { ShortenResponse } from '#contract/links/links.ts';
import { ClaimOffer } from '#web/features/browser-links/claim-offer.tsx';
import { RecentLinks } from '#web/features/links/recent-links.tsx';
import { useQuotaChange } from '#web/features/plans/queries.ts';
import { SubscriptionCard } from '#web/features/plans/subscription-card.tsx';
import { AdSlot } from '#web/shared/plans/ad-slot.tsx';
import { HomeWeek } from './home-week.tsx';
import { withQueryClient } from './query-client.tsx';
import { UpgradePopup } from './upgrade-popup.tsx';
import { useLinksAdded } from './use-links-added.ts';

/** The members' part of the home page, in a separate file because visitors do not need it. */
function Member({
  shownCode,
  newLink,
  upgrading,
  onUpgrade,
  onClose,
  onQuotaChange,
}: {
  /** The code of the link in the result on this page. */
  shownCode: string | undefined;
  /** The link created since the page opened, possibly while this part was still loading. */
  newLink: ShortenResponse | null;
  upgrading: boolean;
  onUpgrade: () => void;
  onClose: () => void;
  onQuotaChange: () => void;
}) {
  useQuotaChange(onQuotaChange);
  const onAdded = useLinksAdded();
  const countedLink = useRef<ShortenResponse | null>(null);
  useEffect(() => {
    if (newLink === countedLink.current || newLink === null) return;
    countedLink.current = newLink;
    onAdded(newLink.usage);
  }, [newLink, onAdded]);
  return (
    <>
      <ClaimOffer onClaimed={() => onAdded()} />
      <SubscriptionCard onUpgrade={onUpgrade} />
      <HomeWeek />
      <RecentLinks shown={shownCode} />
      <AdSlot place="home" />
      {upgrading && <UpgradePopup open onClose={onClose} />}
    </>
  );
}

export const HomeMember = withQueryClient(Member);
