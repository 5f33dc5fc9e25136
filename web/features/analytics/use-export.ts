import { useMutation } from '@tanstack/react-query';
import type { FullReport, Range } from '#contract/analytics.ts';
import { BYTE_ORDER_MARK } from '#contract/csv.ts';
import { api, apiText } from '#web/shared/api.ts';
import { saveFile } from '#web/shared/save-file.ts';
import { toast } from '#web/ui/announcer.ts';

type Format = 'csv' | 'json';

/**
 * Downloads the report of a range as a file. CSV contains all figures and counts, JSON also the
 * recent clicks.
 */
export function useExport(code: string, range: Range): (format: Format) => void {
  const path = `/api/analytics/${encodeURIComponent(code)}/export?range=${range}`;
  const download = useMutation({
    mutationFn: async (format: Format): Promise<[Format, string]> => [
      format,
      format === 'csv'
        ? BYTE_ORDER_MARK + (await apiText(`${path}&format=csv`))
        : JSON.stringify(await api<FullReport>(`${path}&format=json`), null, 2),
    ],
    onSuccess: ([format, text]) =>
      saveFile(
        new Blob([text], { type: format === 'csv' ? 'text/csv' : 'application/json' }),
        `analytics-${code}-${range}.${format}`,
      ),
    onError: (error) => toast('The export failed.', { tone: 'bad', note: error.message }),
  });
  return (format) => download.mutate(format);
}
