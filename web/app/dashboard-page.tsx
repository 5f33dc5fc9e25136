import { ChevronDown, FileUp, ListPlus } from 'lucide-react';
import { useState } from 'react';
import { planIncludes } from '#contract/plans/plan-features.ts';
import type { Tag } from '#contract/links/tags.ts';
import { ClaimOffer } from '#web/features/browser-links/claim-offer.tsx';
import { readFilters, toApiQuery, useLinkFilters } from '#web/features/links/link-filters.ts';
import { LinkList } from '#web/features/links/link-list.tsx';
import { LinkStats } from '#web/features/links/link-stats.tsx';
import { linkListQuery, useLinks } from '#web/features/links/queries.ts';
import { viewsQuery } from '#web/features/links/view-queries.ts';
import {
  subscriptionQuery,
  useQuotaChange,
  useSubscription,
  useSubscriptionCache,
} from '#web/features/plans/queries.ts';
import {
  PlanCell,
  SubscriptionCard,
  useNeedsPlanCard,
} from '#web/features/plans/subscription-card.tsx';
import { NewLinkButton } from '#web/shared/links/new-link-button.tsx';
import { currentSession } from '#web/shared/session/session.ts';
import { prefetchMe } from '#web/shared/api/use-me.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { lazyPopup } from '#web/ui/lazy-popup.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { queries } from './query-client.tsx';
import { SharePopup } from './share-popup.ts';
import { useUpgradePopup } from './upgrade-popup.tsx';
import { useLinksAdded } from './use-links-added.ts';

const BulkDialog = lazyPopup(() =>
  import('#web/features/links/bulk-dialog.tsx').then((m) => m.BulkDialog),
);

/** Loads the first links and the plan, so that the page renders complete. */
export async function prefetchDashboard(): Promise<void> {
  const filters = readFilters(new URLSearchParams(window.location.search));
  await Promise.all([
    queries.prefetchInfiniteQuery(linkListQuery(toApiQuery(filters))),
    queries.prefetchQuery(viewsQuery),
    queries.prefetchQuery(subscriptionQuery(currentSession())),
    prefetchMe(),
  ]);
}

/** Shows the member's plan, statistics and links. The address holds search, filters and order. */
export function DashboardPage() {
  const [upgrade, upgradePopup] = useUpgradePopup();
  const [bulkOpen, setBulkOpen] = useState(false);
  const [sharedTag, setSharedTag] = useState<Tag | null>(null);
  const [quotaChanges, setQuotaChanges] = useState(0);
  useQuotaChange(() => setQuotaChanges((n) => n + 1));
  const subscription = useSubscription();
  const needsPlanCard = useNeedsPlanCard();
  const canBulk =
    subscription.data !== undefined && planIncludes(subscription.data.plan_type, 'bulk');
  const { afterShorten } = useSubscriptionCache();
  const onAdded = useLinksAdded();
  const list = useLinkFilters();
  const links = useLinks(toApiQuery(list.filters));
  const bulk = (): void => (canBulk ? setBulkOpen(true) : upgrade());
  return (
    <>
      <PageHeading
        title="My URLs"
        action={
          <div className="flex gap-2">
            <Menu
              label="Add many links"
              className={`${buttonClass()} max-sm:px-2.5`}
              items={[
                // A Premium member must not see an upgrade offer while the plan loads.
                ...(subscription.isPending
                  ? []
                  : [
                      {
                        label: 'Shorten many links',
                        icon: <ListPlus />,
                        onSelect: bulk,
                      },
                    ]),
                { label: 'Import links', icon: <FileUp />, to: '/links/import' },
              ]}
            >
              <ListPlus className="size-4 sm:hidden" />
              <span className="max-sm:hidden">Add many</span>
              <ChevronDown className="size-4 max-sm:hidden" />
            </Menu>
            <NewLinkButton label="New link" variant="primary" />
          </div>
        }
      />
      <div className="space-y-3">
        <ClaimOffer onClaimed={() => onAdded()} />
        {needsPlanCard && <SubscriptionCard onUpgrade={upgrade} />}
        <LinkStats
          totals={links.data?.pages[0]?.totals ?? null}
          failed={links.isError}
          plan={needsPlanCard ? null : <PlanCell onUpgrade={upgrade} />}
        />
        <LinkList query={links} list={list} onShareTag={setSharedTag} onCreated={afterShorten} />
      </div>
      {bulkOpen && (
        <BulkDialog
          quotaChanges={quotaChanges}
          onClose={() => setBulkOpen(false)}
          onCreated={(usage) => afterShorten(usage ?? undefined)}
        />
      )}
      {sharedTag !== null && (
        <SharePopup
          subject={{ kind: 'tag', id: sharedTag.id }}
          title={`Clicks on ${sharedTag.name}`}
          onClose={() => setSharedTag(null)}
        />
      )}
      {upgradePopup}
    </>
  );
}
