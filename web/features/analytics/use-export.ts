import { useMutation } from '@tanstack/react-query';
import { BYTE_ORDER_MARK } from '#contract/files/csv.ts';
import { api, apiText } from '#web/shared/api/api.ts';
import { saveFile } from '#web/shared/page/save-file.ts';
import { toastExportFailure } from '#web/ui/announcer.ts';

export const EXPORT_FORMATS = ['csv', 'json'] as const;
type Format = (typeof EXPORT_FORMATS)[number];

/**
 * Returns a function that downloads a report as a file. `path` is the request without its format,
 * `name` the file's without its ending. CSV contains all figures and counts, JSON also the recent
 * clicks.
 */
export function useExport(path: string, name: string): (format: Format) => void {
  const download = useMutation({
    mutationFn: async (format: Format): Promise<[Format, string]> => [
      format,
      format === 'csv'
        ? BYTE_ORDER_MARK + (await apiText(`${path}&format=csv`))
        : JSON.stringify(await api<object>(`${path}&format=json`), null, 2),
    ],
    onSuccess: ([format, text]) =>
      saveFile(
        new Blob([text], { type: format === 'csv' ? 'text/csv' : 'application/json' }),
        `${name}.${format}`,
      ),
    onError: toastExportFailure,
  });
  return (format) => download.mutate(format);
}
