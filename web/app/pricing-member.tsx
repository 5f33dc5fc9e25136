import { useEffect } from 'react';
import type { PlanType } from '#contract/site.ts';
import { useSubscription } from '#web/features/plans/queries.ts';
import { withQueryClient } from './query-client.tsx';
import { UpgradePopup } from './upgrade-popup.tsx';

/** The members' part of the pricing page, in a separate file because visitors do not need it. */
function Member({
  upgrading,
  onPlan,
  onClose,
}: {
  upgrading: boolean;
  /**
   * Called when the plan loads or changes. A plan that fails to load counts as Free, as everywhere.
   */
  onPlan: (plan: PlanType) => void;
  onClose: () => void;
}) {
  const { data, isError } = useSubscription();
  const plan = data?.plan_type ?? (isError ? 'free' : undefined);
  useEffect(() => {
    if (plan !== undefined) onPlan(plan);
  }, [plan, onPlan]);
  return upgrading && <UpgradePopup open onClose={onClose} />;
}

export const PricingMember = withQueryClient(Member);
