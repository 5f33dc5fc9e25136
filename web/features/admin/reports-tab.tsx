import { useState } from 'react';
import type { ReportedLink } from '#contract/abuse.ts';
import { formatDateTime, readableUrl } from '#web/shared/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/input.tsx';
import { CursorList } from './cursor-list.tsx';
import { ModerationDialog } from './moderation-dialog.tsx';
import { canRestore, describeHolds, buildModeration } from './moderation-scopes.ts';
import { useUpdateReport, useReports } from './queries.ts';
import { shortId } from './short-id.ts';

const STATUSES = [
  { value: 'open', label: 'Open' },
  { value: 'acted', label: 'Resolved' },
  { value: 'dismissed', label: 'Dismissed' },
] as const;

/** The reported links, with the details of each report and the actions to take. */
export function ReportsTab() {
  const [status, setStatus] = useState<string>('open');
  const [selected, setSelected] = useState<ReportedLink | null>(null);
  const query = useReports(status);
  const reports = query.data?.pages.flatMap((page) => page.reports) ?? [];
  return (
    <div className="flex flex-col gap-4">
      <div className="w-44">
        <Field label="Status">
          {(control) => (
            <Select {...control} value={status} onChange={(event) => setStatus(event.target.value)}>
              {STATUSES.map((item) => (
                <option key={item.value} value={item.value}>
                  {item.label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <CursorList query={query} rows={reports} empty="No reports" failure="The reports could not be loaded.">
        {(report) => <ReportRow key={report.id} report={report} onModerate={() => setSelected(report)} />}
      </CursorList>
      <ModerationDialog
        moderation={
          selected === null
            ? null
            : buildModeration(
                {
                  code: selected.short_code,
                  host: selected.target_host,
                  ownerId: selected.owner_id,
                  holds: selected.holds,
                  reportId: selected.id,
                },
                selected.link_status,
              )
        }
        onClose={() => setSelected(null)}
      />
    </div>
  );
}

function ReportRow({ report, onModerate }: { report: ReportedLink; onModerate: () => void }) {
  const { mutate, isPending } = useUpdateReport();
  const isOpen = report.status === 'open';
  return (
    <li className="flex min-w-0 flex-wrap items-start gap-x-4 gap-y-3 px-4 py-4 sm:px-5">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone="warn">{report.reason}</Badge>
          <a className="font-mono text-14 font-medium hover:underline" href={`/${report.short_code}+`}>
            /{report.short_code}
          </a>
          {report.link_status !== 'active' && <Badge tone="bad">{report.link_status}</Badge>}
        </p>
        <p className="mt-1 text-13 text-ink-2 [overflow-wrap:anywhere]">{readableUrl(report.long_url)}</p>
        {report.holds.length > 0 && <p className="mt-1 text-13 text-ink-2">Disabled by {describeHolds(report.holds)}</p>}
        {report.details !== '' && <p className="mt-2 text-14 whitespace-pre-wrap [overflow-wrap:anywhere]">{report.details}</p>}
        <p className="mt-1 text-13 text-ink-3">
          {formatDateTime(report.created_at)}
          {report.owner_id !== null && (
            <>
              {' '}
              · owner <span className="font-mono">{shortId(report.owner_id)}</span>
            </>
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {(report.link_status === 'active' || (report.link_status === 'disabled' && canRestore(report.holds))) && (
          <Button size="sm" onClick={onModerate}>
            {report.link_status === 'disabled' ? 'Restore link…' : 'Disable link…'}
          </Button>
        )}
        <Button
          size="sm"
          variant="ghost"
          pending={isPending}
          onClick={() => mutate({ path: `/api/admin/reports/${report.id}`, body: { status: isOpen ? 'dismissed' : 'open' } })}
        >
          {isOpen ? 'Dismiss report' : 'Reopen report'}
        </Button>
      </div>
    </li>
  );
}
