import { useEffect, useState } from 'react';
import type { Subscription } from '#contract/plans.ts';
import type { PlanType } from '#contract/site.ts';
import { api } from '#web/shared/api.ts';
import { useSession } from '#web/shared/session.ts';

/** The member's plan. Null for a visitor, until it has loaded, and if loading it fails. */
export function useCurrentPlan(): PlanType | null {
  const session = useSession();
  const userId = session.status === 'member' ? session.id : '';
  const [loaded, setLoaded] = useState<{ userId: string; plan: PlanType } | null>(null);
  useEffect(() => {
    if (userId === '') return;
    const controller = new AbortController();
    api<Subscription>('/api/subscription', { signal: controller.signal }).then(
      ({ plan_type }) => setLoaded({ userId, plan: plan_type }),
      // The page works without it.
      () => undefined,
    );
    return () => controller.abort();
  }, [userId]);
  return loaded?.userId === userId && userId !== '' ? loaded.plan : null;
}
