import { useMutation } from '@tanstack/react-query';
import { api, apiText } from '#web/shared/api.ts';
import { saveFile } from '#web/shared/save-file.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';

const showError = (error: Error): void => toast('The export failed.', { tone: 'bad', note: error.message });

/** Downloads the account's data. */
export function ExportPanel() {
  const json = useMutation({
    mutationFn: () => api<unknown>('/api/account/export'),
    onSuccess: (data) => saveFile(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), 'hop-account.json'),
    onError: showError,
  });
  const csv = useMutation({
    mutationFn: () => apiText('/api/account/links.csv'),
    onSuccess: (text) => saveFile(new Blob([text], { type: 'text/csv' }), 'hop-links.csv'),
    onError: showError,
  });
  return (
    <Panel
      title="Your data"
      hint="Your profile, plan, links with click counts, and posts in one JSON file. Or only your links as a CSV file."
    >
      <div className="flex flex-wrap gap-2">
        <Button pending={json.isPending} onClick={() => json.mutate()}>
          Download my data
        </Button>
        <Button pending={csv.isPending} onClick={() => csv.mutate()}>
          Download links as CSV
        </Button>
      </div>
    </Panel>
  );
}
