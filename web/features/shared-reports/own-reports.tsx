import { useState } from 'react';
import { codeOfKey } from '#contract/codes/code-of-key.ts';
import type { SharedReport } from '#contract/reports/shared-reports.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';
import { QueryContent } from '#web/ui/query-content.tsx';
import { useSharedReports, useStopSharing } from './queries.ts';
import { PERIODS, type ShareSubject } from './report-draft.ts';
import { describeEnd } from './report-fields.tsx';

const isAbout = ({ subject }: SharedReport, other: ShareSubject): boolean =>
  subject.kind === 'link'
    ? other.kind === 'link' && subject.code === other.code
    : other.kind === 'tag' && subject.id === other.id;

/** Lists what the member shares: first the reports of `subject`, then the others. */
export function OwnReports({
  subject,
  onChange,
}: {
  subject: ShareSubject;
  onChange: (report: SharedReport) => void;
}) {
  const query = useSharedReports();
  // Its box is there while the reports load: otherwise the buttons below it would move.
  return (
    <div className="space-y-4">
      <QueryContent
        query={query}
        failure="Your shared reports could not be loaded."
        loading="Loading your shared reports…"
        skeleton={null}
      >
        {({ reports }) => {
          const own = reports.filter((report) => isAbout(report, subject));
          const others = reports.filter((report) => !isAbout(report, subject));
          return (
            <>
              <Reports
                title={subject.kind === 'link' ? 'Shared for this link' : 'Shared for this tag'}
                reports={own}
                onChange={onChange}
              />
              <Reports title="Shared for others" reports={others} onChange={onChange} />
            </>
          );
        }}
      </QueryContent>
    </div>
  );
}

function Reports({
  title,
  reports,
  onChange,
}: {
  title: string;
  reports: readonly SharedReport[];
  onChange: (report: SharedReport) => void;
}) {
  return (
    reports.length > 0 && (
      <section aria-label={title} className="border-t border-line pt-4">
        <h3 className="mb-1 text-13 font-medium">{title}</h3>
        <ul className="divide-y divide-line">
          {reports.map((report) => (
            <ReportRow key={report.id} report={report} onChange={() => onChange(report)} />
          ))}
        </ul>
      </section>
    )
  );
}

function ReportRow({ report, onChange }: { report: SharedReport; onChange: () => void }) {
  const [confirming, setConfirming] = useState(false);
  const stop = useStopSharing(report.id, () => toast('The report is no longer shared.'));
  return (
    <li className="py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-44">
          <p className="text-14 [overflow-wrap:anywhere]">{report.title}</p>
          <p className="text-13 [overflow-wrap:anywhere] text-ink-3">{describe(report)}</p>
        </div>
        {!confirming && (
          <div className="flex gap-2">
            <Button size="sm" aria-label={`Change ${report.title}`} onClick={onChange}>
              Change
            </Button>
            <Button
              size="sm"
              aria-label={`Stop sharing ${report.title}`}
              onClick={() => setConfirming(true)}
            >
              Stop sharing
            </Button>
          </div>
        )}
      </div>
      {confirming && (
        <div className="mt-2 flex flex-wrap items-center justify-end gap-2 text-13 text-ink-2">
          <p className="flex-1 basis-44">Its address stops working at once, for good.</p>
          <Button size="sm" onClick={() => setConfirming(false)}>
            Cancel
          </Button>
          <Button
            size="sm"
            variant="danger"
            pending={stop.isPending}
            onClick={() => stop.mutate(undefined)}
          >
            Stop sharing
          </Button>
        </div>
      )}
      <ErrorText>{stop.error?.message}</ErrorText>
    </li>
  );
}

/** Example: `promo-1 · Last 30 days · ends Dec 3, 2026 · password` */
function describe(report: SharedReport): string {
  const { subject, period, expiresAt, hasPassword, available } = report;
  return [
    subject.kind === 'link' ? codeOfKey(subject.code) : `Tag ${subject.name}`,
    period === 'dates'
      ? `${report.from} to ${report.to}`
      : (PERIODS.find(([name]) => name === period)?.[1] ?? ''),
    ...(expiresAt === null ? [] : [`ends ${describeEnd(report)}`]),
    ...(hasPassword ? ['password'] : []),
    ...(available ? [] : ['not shown while the link is off']),
  ].join(' · ');
}
