import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { LinkView, ViewsResponse } from '#contract/views.ts';
import { api } from '#web/shared/api.ts';
import type { LinkFilters } from './link-filters.ts';

const KEY = ['views'];

/** The member's views, by name. */
export function useViews() {
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await api<ViewsResponse>('/api/views', { signal })).views,
  });
}

/** Saves a view, in place of one with the same name. */
export function useSaveView() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; filters: LinkFilters }) =>
      api<LinkView>('/api/views', { method: 'POST', body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export function useDeleteView() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api<unknown>(`/api/views/${id}`, { method: 'DELETE' }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
