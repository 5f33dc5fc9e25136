import { useMutation } from '@tanstack/react-query';
import { api, apiText } from '#web/shared/api.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { saveFile } from '#web/shared/save-file.ts';

/** Everything that belongs to the account, as files. */
export function ExportPanel() {
  const json = useMutation({
    mutationFn: () => api<unknown>('/api/account/export'),
    onSuccess: (data) => saveFile(JSON.stringify(data, null, 2), 'application/json', 'hop-account.json'),
    onError: (error) => toast('The export could not be made.', { tone: 'bad', note: error.message }),
  });
  const csv = useMutation({
    mutationFn: () => apiText('/api/account/links.csv'),
    onSuccess: (text) => saveFile(text, 'text/csv', 'hop-links.csv'),
    onError: (error) => toast('The export could not be made.', { tone: 'bad', note: error.message }),
  });
  return (
    <Panel
      title="Your data"
      hint="Your profile, plan, links with their counts, and posts, as one JSON file; or the links alone as a table."
    >
      <div className="flex flex-wrap gap-2">
        <Button pending={json.isPending} onClick={() => json.mutate()}>
          Download my data
        </Button>
        <Button pending={csv.isPending} onClick={() => csv.mutate()}>
          Links as CSV
        </Button>
      </div>
    </Panel>
  );
}
