import { useEffect, useState } from 'react';
import type { Subscription } from '#contract/plans.ts';
import type { PlanType } from '#contract/site.ts';
import { api } from '#web/shared/api.ts';
import { useSession } from '#web/shared/session.ts';

/** The member's plan: null for a visitor, and until (or unless) the server has said it. */
export function useCurrentPlan(): PlanType | null {
  const session = useSession();
  const person = session.status === 'member' ? session.id : '';
  const [known, setKnown] = useState<{ person: string; plan: PlanType } | null>(null);
  useEffect(() => {
    if (person === '') return;
    const asking = new AbortController();
    api<Subscription>('/api/subscription', { signal: asking.signal }).then(
      ({ plan_type }) => setKnown({ person, plan: plan_type }),
      // The page says everything that matters without it.
      () => undefined,
    );
    return () => asking.abort();
  }, [person]);
  return known?.person === person && person !== '' ? known.plan : null;
}
