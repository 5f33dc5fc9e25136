import { useMutation, useQuery } from '@tanstack/react-query';
import { LINKS_FILES, type LinksFormat } from '#contract/account.ts';
import { BYTE_ORDER_MARK } from '#contract/csv.ts';
import type { FilteredTotals } from '#contract/links.ts';
import { api, apiText } from '#web/shared/api.ts';
import { saveFile } from '#web/shared/save-file.ts';
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

/** Saves the links that the filters in `query` accept as a file. */
export const useExportLinks = (query: string) =>
  useMutation({
    mutationFn: (format: LinksFormat) => {
      const filters = query === '' ? '' : `&${query}`;
      return apiText(`/api/account/links?format=${format}&listed=1${filters}`);
    },
    onSuccess: (text, format) =>
      saveFile(new Blob([format === 'csv' ? BYTE_ORDER_MARK + text : text]), LINKS_FILES[format]),
    onError: toastExportFailure,
  });
