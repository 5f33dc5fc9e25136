import { useEffect, useRef } from 'react';
import type { ReportEvidence } from '#contract/moderation/report-evidence.ts';
import { Time } from '#web/shared/texts/time.tsx';
import { RequestError } from '#web/shared/api/api.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { nameOfUser } from './log-sentence.ts';
import { useModerationDialog } from './moderation-dialog.tsx';
import {
  buildModeration,
  moderationOf,
  nameOfLink,
  previewOf,
  restoringOf,
} from './moderation-scopes.ts';
import { useReport, useUpdateReport } from './queries.ts';
import { Evidence } from './report-evidence.tsx';

export function ReportDetail({
  id,
  takesFocus,
  addressOf,
  onAct,
}: {
  id: number;
  takesFocus: boolean;
  addressOf: (report: number) => string;
  onAct: () => void;
}) {
  const query = useReport(id);
  if (query.data !== undefined)
    return (
      <Report evidence={query.data} takesFocus={takesFocus} addressOf={addressOf} onAct={onAct} />
    );
  if (query.isPending)
    return (
      <Loading label="Loading the report…">
        <Skeleton className="h-128 w-full rounded-lg" />
      </Loading>
    );
  if (query.error instanceof RequestError && query.error.status === 404)
    return (
      <Card>
        <EmptyState title="We couldn’t find that report" />
      </Card>
    );
  return <ErrorLine message="The report could not be loaded." query={query} />;
}

function Report({
  evidence,
  takesFocus,
  addressOf,
  onAct,
}: {
  evidence: ReportEvidence;
  takesFocus: boolean;
  addressOf: (report: number) => string;
  onAct: () => void;
}) {
  const { report, closed } = evidence;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <Card>
      <article aria-labelledby={`report-${report.id}`}>
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3 border-b border-line px-4 py-4 sm:px-5">
          <div className="min-w-0">
            <h2
              ref={heading}
              id={`report-${report.id}`}
              tabIndex={-1}
              className="flex flex-wrap items-center gap-2 text-16 font-semibold"
            >
              <span className="first-letter:uppercase">{report.reason}</span>
              <a
                dir="ltr"
                className="font-mono text-14 font-medium hover:underline"
                href={previewOf(report.code, report.domain)}
              >
                {nameOfLink(report.code, report.domain)}
              </a>
              {report.linkStatus !== 'active' && <Badge tone="bad">{report.linkStatus}</Badge>}
              {report.domain?.isSuspended === true && <Badge tone="bad">domain suspended</Badge>}
            </h2>
            <p className="mt-1 text-13 text-ink-3">
              Report {report.id} · <Time at={report.createdAt} />
            </p>
            {closed !== null && (
              <p className="mt-1 text-13 text-ink-2 [overflow-wrap:anywhere]">
                {report.status === 'acted' ? 'Resolved' : 'Dismissed'} on <Time at={closed.at} /> by{' '}
                {nameOfUser(closed.byId, closed.byEmail)}
              </p>
            )}
          </div>
          <Actions evidence={evidence} onAct={onAct} />
        </div>
        <Evidence evidence={evidence} addressOf={addressOf} />
      </article>
    </Card>
  );
}

function Actions({
  evidence: { report, owner },
  onAct,
}: {
  evidence: ReportEvidence;
  onAct: () => void;
}) {
  const { mutate, isPending } = useUpdateReport();
  const [dialog, openDialog] = useModerationDialog();
  const moderation = moderationOf(report.linkStatus, report.holds);
  const restoring = restoringOf(report.domain);
  const isOpen = report.status === 'open';
  // The server does not dismiss a report whose link now has a destination other than the one shown
  // here.
  const body = { status: isOpen ? 'dismissed' : 'open', destination: report.longUrl } as const;
  const moderate = (): void => {
    onAct();
    const subject = {
      code: report.code,
      domain: report.domain,
      host: report.targetHost,
      reportedHost: report.reportedHost ?? '',
      ownerId: report.ownerId,
      holds: report.holds,
      reportId: report.id,
    };
    openDialog({
      ...buildModeration(subject, report.linkStatus),
      ...(owner?.email && { name: owner.email }),
    });
  };
  return (
    <div className="flex flex-wrap gap-2">
      {moderation !== null && (
        <Button variant={moderation === 'Disable link' ? 'danger' : 'secondary'} onClick={moderate}>
          {moderation}…
        </Button>
      )}
      {restoring !== null && (
        <Button
          onClick={() => {
            onAct();
            openDialog(restoring);
          }}
        >
          Restore domain…
        </Button>
      )}
      <Button
        pending={isPending}
        onClick={() => {
          onAct();
          mutate({ path: `/api/admin/reports/${report.id}`, body });
        }}
      >
        {isOpen ? 'Dismiss report' : 'Reopen report'}
      </Button>
      {dialog}
    </div>
  );
}
