import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { RequestError } from '#web/shared/api/api.ts';
import { PLAN_CHANNEL } from '#web/shared/plans/plans.ts';
import { currentSession, onSessionChange } from '#web/shared/session/session.ts';
import { reloadMe } from '#web/shared/api/use-me.ts';

/** Retries twice, but never after a 4xx, because the server would respond the same way. */
const shouldRetry = (failures: number, error: unknown): boolean =>
  failures < 2 && !(error instanceof RequestError && error.status >= 400 && error.status < 500);

/** Waits longer before each retry. Offline, a query fails at once instead. */
const retryDelay = (failures: number): number => (navigator.onLine ? 1000 * 2 ** failures : 0);

/** Offline, requests fail and say so instead of waiting. Queries load again with the network. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      refetchOnReconnect: 'always',
      retry: shouldRetry,
      retryDelay,
      staleTime: 15_000,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

const currentUserId = (): string => {
  const session = currentSession();
  return session.status === 'member' ? session.id : '';
};

// The cache belongs to one user, so it is cleared when another user signs in.
let cachedUserId = currentUserId();
onSessionChange(() => {
  if (currentUserId() === cachedUserId) return;
  cachedUserId = currentUserId();
  queries.clear();
});

// Responses depend on the plan, so everything reloads when the plan changes in any tab.
if (!import.meta.env.SSR)
  new BroadcastChannel(PLAN_CHANNEL).addEventListener('message', () => {
    reloadMe();
    void queries.invalidateQueries();
  });

export function withQueryClient<Props extends object>(
  Screen: ComponentType<Props>,
): ComponentType<Props> {
  return function ScreenWithQueries(props: Props) {
    return (
      <QueryClientProvider client={queries}>
        <Screen {...props} />
      </QueryClientProvider>
    );
  };
}
