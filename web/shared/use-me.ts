import { useQuery } from '@tanstack/react-query';
import type { Me } from '#contract/account.ts';
import { api } from './api.ts';
import { useSession } from './session.ts';

/** Who the server says is asking, with the role it reads from its database now. Asks nothing for a visitor. */
export function useMe() {
  const session = useSession();
  return useQuery({
    queryKey: ['me', session.status === 'member' ? session.id : ''],
    enabled: session.status === 'member',
    queryFn: ({ signal }) => api<Me>('/api/me', { signal }),
    staleTime: 0,
  });
}
