import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Subscription } from '#contract/plans.ts';
import { PLANS } from '#contract/site.ts';
import { api } from '#web/shared/api.ts';
import { useSession } from '#web/shared/session.ts';
import { noteOwnPlan } from '#web/shared/use-me.ts';

const KEY = ['subscription'];
const REFETCH_AFTER_MS = 1_000;

/** Shown when the subscription cannot be loaded. */
export const FALLBACK_SUBSCRIPTION = { plan_type: 'free', monthly_limit: PLANS.free.monthlyLimit, current_usage: 0 } as const;

/** The member's plan and usage. Does not load for a visitor. */
export function useSubscription() {
  const session = useSession();
  const userId = session.status === 'member' ? session.id : '';
  return useQuery({
    queryKey: KEY,
    enabled: userId !== '',
    queryFn: async ({ signal }) => {
      const headers = { 'cache-control': 'no-cache' };
      const subscription = await api<Subscription>(`/api/subscription?t=${Date.now()}`, { signal, headers });
      noteOwnPlan(userId, subscription.plan_type);
      return subscription;
    },
  });
}

/** Updates the cached subscription. `afterShorten` shows the new usage at once and reloads it a second later. */
export function useSubscriptionCache() {
  const queries = useQueryClient();
  const session = useSession();
  return {
    afterShorten: (usage: { current_usage: number; monthly_limit: number } | undefined): void => {
      if (usage !== undefined) queries.setQueryData<Subscription>(KEY, (known) => known && { ...known, ...usage });
      setTimeout(() => void queries.invalidateQueries({ queryKey: KEY }), REFETCH_AFTER_MS);
    },
    set: (subscription: Subscription): void => {
      if (session.status === 'member') noteOwnPlan(session.id, subscription.plan_type);
      queries.setQueryData<Subscription>(KEY, subscription);
    },
  };
}
