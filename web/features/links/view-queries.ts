import { queryOptions, useQuery } from '@tanstack/react-query';
import type { LinkView, ViewsResponse } from '#contract/presets/views.ts';
import { api } from '#web/shared/api/api.ts';
import { useSend } from '#web/shared/api/use-send.ts';
import type { ListFilters } from './link-filters.ts';

const KEY = ['views'];

export const viewsQuery = queryOptions({
  queryKey: KEY,
  queryFn: async ({ signal }) => (await api<ViewsResponse>('/api/views', { signal })).views,
});

export const useViews = () => useQuery(viewsQuery);

/** Saves a view and replaces one with the same name. */
export const useSaveView = () =>
  useSend(
    (body: { name: string; filters: ListFilters }) =>
      api<LinkView>('/api/views', { method: 'POST', body }),
    [KEY],
    undefined,
    { waits: true },
  );

export const useDeleteView = () =>
  useSend((id: number) => api(`/api/views/${id}`, { method: 'DELETE' }), [KEY], undefined, {
    waits: true,
  });
