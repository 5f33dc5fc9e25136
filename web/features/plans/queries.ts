import {
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import type {
  DowngradeRequest,
  DowngradeResponse,
  Subscription,
  UpgradeRequest,
  UpgradeResponse,
} from '#contract/plans/plans.ts';
import { PLANS, type UsedQuota } from '#contract/site.ts';
import { api, RequestError } from '#web/shared/api/api.ts';
import { announcePlanChange } from '#web/shared/plans/plans.ts';
import { useSession, type CurrentSession } from '#web/shared/session/session.ts';
import { useChange } from '#web/shared/api/use-change.ts';
import { noteOwnPlan } from '#web/shared/api/use-me.ts';

const KEY = ['subscription'];
const REFETCH_AFTER_MS = 1_000;

/** Shown when the subscription cannot be loaded. */
export const FALLBACK_SUBSCRIPTION = {
  plan_type: 'free',
  monthly_limit: PLANS.free.monthlyLimit,
  current_usage: 0,
} as const;

const memberId = (session: CurrentSession): string =>
  session.status === 'member' ? session.id : '';

/** Loads the member's plan and usage. Disabled for visitors. */
export const subscriptionQuery = (session: CurrentSession) =>
  queryOptions({
    queryKey: KEY,
    enabled: memberId(session) !== '',
    queryFn: async ({ signal }) => {
      const headers = { 'cache-control': 'no-cache' };
      const subscription = await api<Subscription>(`/api/subscription?t=${Date.now()}`, {
        signal,
        headers,
      });
      noteOwnPlan(memberId(session), subscription.plan_type);
      return subscription;
    },
  });

export const useSubscription = () => useQuery(subscriptionQuery(useSession()));

/**
 * Reloads the subscription. Invalidating it would wait for a first request that is still running
 * and returns the old usage.
 */
async function reload(queries: QueryClient): Promise<void> {
  await queries.cancelQueries({ queryKey: KEY });
  await queries.invalidateQueries({ queryKey: KEY });
}

/**
 * Updates the cached subscription. `afterShorten` shows the new usage at once and reloads it a
 * second later.
 */
export function useSubscriptionCache() {
  const queries = useQueryClient();
  return {
    afterShorten: (usage: UsedQuota | undefined): void => {
      if (usage !== undefined)
        queries.setQueryData<Subscription>(KEY, (known) => known && { ...known, ...usage });
      setTimeout(() => void reload(queries), REFETCH_AFTER_MS);
    },
  };
}

/**
 * Calls `onChange` when the plan changes, or when usage falls because a cycle ended or an
 * administrator reset it. Messages about a used-up quota are then outdated. The change may come
 * from this page, another tab or the server.
 */
export function useQuotaChange(onChange: () => void): void {
  const { data } = useSubscription();
  useChange(data, (before) => {
    if (before === undefined || data === undefined) return;
    if (before.plan_type !== data.plan_type || data.current_usage < before.current_usage)
      onChange();
  });
}

/** Changes the plan, shows it in this tab at once and then in all others. */
function usePlanMutation<Input, Answer extends { subscription: Subscription }>(
  send: (input: Input) => Promise<Answer>,
  onDone: (answer: Answer) => void,
) {
  const queries = useQueryClient();
  const session = useSession();
  return useMutation({
    mutationFn: send,
    onSuccess: (answer) => {
      if (session.status === 'member') noteOwnPlan(session.id, answer.subscription.plan_type);
      queries.setQueryData<Subscription>(KEY, answer.subscription);
      announcePlanChange();
      onDone(answer);
    },
    onError: (error) => {
      // The plan has changed since it was read.
      if (error instanceof RequestError && error.status === 409)
        void queries.invalidateQueries({ queryKey: KEY });
    },
  });
}

export const useUpgrade = (onDone: (answer: UpgradeResponse) => void) =>
  usePlanMutation(
    (body: UpgradeRequest) => api<UpgradeResponse>('/api/subscription', { method: 'POST', body }),
    onDone,
  );

const DOWNGRADE = '/api/subscription/downgrade';

export const useDowngrade = (onDone: (answer: DowngradeResponse) => void) =>
  usePlanMutation(
    (body: DowngradeRequest) => api<DowngradeResponse>(DOWNGRADE, { method: 'POST', body }),
    onDone,
  );

export const useCancelDowngrade = (onDone: (answer: DowngradeResponse) => void) =>
  usePlanMutation(() => api<DowngradeResponse>(DOWNGRADE, { method: 'DELETE' }), onDone);
