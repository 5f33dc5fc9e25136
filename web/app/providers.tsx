import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { ApiFailure } from '#web/shared/api.ts';
import { useSession } from '#web/shared/session.ts';

/** A 4xx will be a 4xx again; anything else is worth two more tries. */
const mayRetry = (failures: number, error: unknown): boolean =>
  failures < 2 && !(error instanceof ApiFailure && error.status >= 400 && error.status < 500);

/** What every screen stands in: the cache of the API's answers, emptied when another person is here. */
export function Providers({ children }: { children: ReactNode }) {
  const [queries] = useState(
    () => new QueryClient({ defaultOptions: { queries: { retry: mayRetry, staleTime: 15_000 }, mutations: { retry: false } } }),
  );
  const session = useSession();
  const person = session.status === 'member' ? session.id : '';
  const before = useRef(person);
  useEffect(() => {
    if (before.current === person) return;
    before.current = person;
    queries.clear();
  }, [person, queries]);
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>;
}
