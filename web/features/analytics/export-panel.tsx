import { useMutation } from '@tanstack/react-query';
import type { FullReport, Range } from '#contract/analytics.ts';
import { api, apiText } from '#web/shared/api.ts';
import { saveFile } from '#web/shared/save-file.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';

/** With this mark at its start, spreadsheets read a CSV file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

const showError = (error: Error): void => toast('The export failed.', { tone: 'bad', note: error.message });

/** Downloads the report as a file. */
export function ExportPanel({ code, range }: { code: string; range: Range }) {
  const path = `/api/analytics/${encodeURIComponent(code)}/export?range=${range}`;
  const save = (text: string, format: 'csv' | 'json', type: string): void =>
    saveFile(new Blob([text], { type }), `analytics-${code}-${range}.${format}`);
  const csv = useMutation({
    mutationFn: () => apiText(`${path}&format=csv`),
    onSuccess: (text) => save(BYTE_ORDER_MARK + text, 'csv', 'text/csv'),
    onError: showError,
  });
  const json = useMutation({
    mutationFn: () => api<FullReport>(`${path}&format=json`),
    onSuccess: (report) => save(JSON.stringify(report, null, 2), 'json', 'application/json'),
    onError: showError,
  });
  return (
    <Panel
      title="Export"
      hint="The report of the chosen time range. The CSV file has all figures and counts, the JSON file also the recent clicks."
    >
      <div className="flex flex-wrap gap-2">
        <Button pending={csv.isPending} onClick={() => csv.mutate()}>
          Download CSV
        </Button>
        <Button pending={json.isPending} onClick={() => json.mutate()}>
          Download JSON
        </Button>
      </div>
    </Panel>
  );
}
