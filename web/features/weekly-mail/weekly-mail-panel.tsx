import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WeeklyMail } from '#contract/reports/weekly-mail.ts';
import { api } from '#web/shared/api/api.ts';
import { toast } from '#web/ui/announcer.ts';
import { Panel } from '#web/ui/card.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';

const KEY = ['weekly-mail'];
const PATH = '/api/weekly-mail';

export function WeeklyMailPanel() {
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api<WeeklyMail>(PATH, { signal }),
  });
  const change = useMutation({
    mutationFn: (enabled: boolean) => api<WeeklyMail>(PATH, { method: 'PATCH', body: { enabled } }),
    onSuccess: (next) => {
      queries.setQueryData(KEY, next);
      toast(next.enabled ? 'The first email comes next Monday.' : 'You get no more weekly emails.');
    },
  });
  const shown = query.data;
  return (
    <Panel
      title="Weekly email"
      hint="Your most clicked links, how last week compares, and links that stopped working."
    >
      {shown !== undefined &&
        (shown.offered || shown.enabled ? (
          <Checkbox
            label="Send me a summary every Monday"
            hint={
              shown.offered
                ? 'Each email has a link that stops them.'
                : 'This server does not send email at the moment.'
            }
            checked={change.isPending ? change.variables : shown.enabled}
            onChange={(event) => !change.isPending && change.mutate(event.target.checked)}
          />
        ) : (
          <p className="text-14 text-ink-2">
            This server does not send email, so there is no summary.
          </p>
        ))}
      <ErrorText className="mt-2">{change.error?.message}</ErrorText>
      {query.isPending && (
        <Loading label="Loading your choice…">
          <Skeleton className="h-5 w-64 max-w-full" />
        </Loading>
      )}
      {query.isError && shown === undefined && (
        <ErrorLine message="Your choice could not be loaded." query={query} />
      )}
    </Panel>
  );
}
