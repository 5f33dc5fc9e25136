import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { ApiError } from '#web/shared/api.ts';
import { currentSession, onSessionChange } from '#web/shared/session.ts';

/** A 4xx will be a 4xx again; anything else is worth two more tries. */
const mayRetry = (failures: number, error: unknown): boolean =>
  failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500);

/** The cache of the API's answers, emptied when another person is here. */
const queries = new QueryClient({
  defaultOptions: { queries: { retry: mayRetry, staleTime: 15_000 }, mutations: { retry: false } },
});

const person = (): string => {
  const session = currentSession();
  return session.status === 'member' ? session.id : '';
};
let before = person();
onSessionChange(() => {
  if (person() === before) return;
  before = person();
  queries.clear();
});

/** A screen, or a part of one, that asks the API through the shared cache. */
export function withQueryClient<Props extends object>(Screen: ComponentType<Props>): ComponentType<Props> {
  return function ScreenWithQueries(props: Props) {
    return (
      <QueryClientProvider client={queries}>
        <Screen {...props} />
      </QueryClientProvider>
    );
  };
}
