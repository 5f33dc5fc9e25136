import { useEffect } from 'react';
import type { PlanType } from '#contract/site.ts';
import { useSubscription } from '#web/features/plans/queries.ts';
import { UpgradeDialog } from '#web/features/plans/upgrade-dialog.tsx';
import { withQueryClient } from './query-client.tsx';

/** The members' part of the pricing page. Visitors do not load it. */
function Member({
  upgrading,
  onPlan,
  onClose,
}: {
  upgrading: boolean;
  /**
   * Called with the plan when it is known or changes. One that cannot be loaded counts as Free, as
   * everywhere.
   */
  onPlan: (plan: PlanType) => void;
  onClose: () => void;
}) {
  const { data, isError } = useSubscription();
  const plan = data?.plan_type ?? (isError ? 'free' : undefined);
  useEffect(() => {
    if (plan !== undefined) onPlan(plan);
  }, [plan, onPlan]);
  return <UpgradeDialog open={upgrading} onClose={onClose} />;
}

export const PricingMember = withQueryClient(Member);
