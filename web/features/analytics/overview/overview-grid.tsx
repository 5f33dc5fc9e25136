import type { OverviewResponse } from '#contract/analytics.ts';
import { DevicesCard, PlacesCard, SourcesCard } from '#web/features/analytics/grid/cards.tsx';
import { LockedPanel } from '#web/features/analytics/grid/locked-panel.tsx';
import { TopLinksCard } from './top-links-card.tsx';

export function OverviewGrid({
  overview,
  onUpgrade,
}: {
  overview: OverviewResponse;
  onUpgrade: () => void;
}) {
  const { analytics } = overview;
  return (
    <div className="grid min-w-0 gap-4 lg:grid-cols-2">
      <TopLinksCard links={analytics.topLinks} total={analytics.totalClicks} />
      <PlacesCard analytics={analytics} filtering={null} />
      <DevicesCard analytics={analytics} filtering={null} />
      {overview.advanced ? (
        <SourcesCard analytics={analytics} filtering={null} />
      ) : (
        <LockedPanel onUpgrade={onUpgrade} />
      )}
    </div>
  );
}
