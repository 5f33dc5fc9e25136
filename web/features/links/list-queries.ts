import { useMutation, useQuery } from '@tanstack/react-query';
import type { LinksFormat } from '#contract/files/links-file.ts';
import type { FilteredTotals } from '#contract/links/links.ts';
import { api } from '#web/shared/api/api.ts';
import { toastExportFailure } from '#web/ui/announcer.ts';
import { LINKS_KEY } from './queries.ts';

/** Counts the links that the filters in `query` accept, and their clicks. */
export const useFilteredTotals = (query: string, isEnabled: boolean) =>
  useQuery({
    // The key is below the list's key, so that reloading the list also counts again.
    queryKey: [LINKS_KEY, 'totals', query],
    queryFn: ({ signal }) => api<FilteredTotals>(`/api/my-urls/totals?${query}`, { signal }),
    enabled: isEnabled,
  });

/** Saves the links that the filters in `query` accept as a file. The code loads when it is used. */
export const useExportLinks = (query: string) =>
  useMutation({
    mutationFn: async (format: LinksFormat) =>
      (await import('./export-links.ts')).exportListed(format, query),
    onError: toastExportFailure,
  });
