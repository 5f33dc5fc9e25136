import { clsx } from 'clsx';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ReportedLink } from '#contract/moderation/abuse.ts';
import { plural } from '#contract/language.ts';
import { Time } from '#web/shared/texts/time.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Link } from '#web/ui/link.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { CursorList } from './cursor-list.tsx';
import { nameOfLink } from './moderation-scopes.ts';
import { useReports } from './queries.ts';
import { ReportDetail } from './report-detail.tsx';
import { hasDestinationChanged } from './report-evidence.tsx';

const STATUSES = [
  { value: 'open', label: 'Open', empty: 'No open reports' },
  { value: 'acted', label: 'Resolved', empty: 'No resolved reports' },
  { value: 'dismissed', label: 'Dismissed', empty: 'No dismissed reports' },
] as const;

/**
 * Shows the reports, and beside them the report in the URL or else the newest one. A phone shows
 * either the list or the report.
 */
export function ReportsTab() {
  const [params, setParams] = useSearchParams();
  const { value: status, empty } =
    STATUSES.find(({ value }) => value === params.get('status')) ?? STATUSES[0];
  const q = params.get('q') ?? '';
  const query = useReports({ status, q });
  const opened = Number(params.get('report') ?? '') || null;
  const shown = opened ?? query.data?.pages.flatMap((page) => page.reports)[0]?.id ?? null;
  const isEmpty = shown === null && query.isSuccess;
  /** The report that a click opened. It takes the focus, because a phone hides the list. */
  const [clicked, setClicked] = useState<number | null>(null);
  const addressOf = (change: { status?: string; report?: number; q?: string }): string => {
    const next = new URLSearchParams({ tab: 'reports', status: change.status ?? status });
    const search = change.q ?? q;
    if (search !== '') next.set('q', search);
    if (change.report !== undefined) next.set('report', String(change.report));
    return `?${next.toString()}`;
  };
  return (
    <div
      className={clsx(
        'grid gap-4 lg:items-start',
        !isEmpty && 'lg:grid-cols-[19rem_minmax(0,1fr)]',
      )}
    >
      <div className={clsx('flex min-w-0 flex-col gap-4', opened !== null && 'max-lg:hidden')}>
        <div className={clsx('flex flex-col gap-3', isEmpty && 'lg:max-w-76')}>
          <SearchBox
            label="Search by code or destination"
            search={q}
            onSearch={(text) => setParams(addressOf({ q: text }), { replace: true })}
          />
          <SelectField
            label="Status"
            choices={STATUSES.map(({ value, label }) => [value, label])}
            value={status}
            onSelect={(value) => setParams(addressOf({ status: value }), { replace: true })}
          />
        </div>
        <CursorList
          query={query}
          rowsOf={(page) => page.reports}
          noun="reports"
          empty={q === '' ? empty : 'No reports found'}
        >
          {(report) => (
            <ReportRow
              key={report.id}
              report={report}
              to={addressOf({ report: report.id })}
              isShown={report.id === shown}
              onOpen={() => setClicked(report.id)}
            />
          )}
        </CursorList>
      </div>
      {shown !== null && (
        <div className={clsx('min-w-0', opened === null && 'max-lg:hidden')}>
          <Link
            to={addressOf({})}
            className="mb-3 inline-flex items-center gap-1.5 py-1 text-13 text-ink-3 hover:text-ink lg:hidden pointer-coarse:min-h-11"
          >
            <ArrowLeft className="size-4 rtl:-scale-x-100" />
            All reports
          </Link>
          <ReportDetail
            key={shown}
            id={shown}
            takesFocus={clicked === shown}
            addressOf={(report) => addressOf({ report })}
            // The report stays open after the action has removed it from the list.
            onAct={() => setParams(addressOf({ report: shown }), { replace: true })}
          />
        </div>
      )}
    </div>
  );
}

function ReportRow({
  report,
  to,
  isShown,
  onOpen,
}: {
  report: ReportedLink;
  to: string;
  isShown: boolean;
  onOpen: () => void;
}) {
  return (
    <li className="overflow-hidden first:rounded-t-lg last:rounded-b-lg">
      <Link
        to={to}
        onClick={onOpen}
        aria-current={isShown ? 'true' : undefined}
        className={clsx(
          'block min-w-0 border-s-2 px-4 py-3 -outline-offset-2',
          isShown
            ? 'border-ink bg-hover'
            : 'border-transparent hover:bg-hover active:bg-pressed forced-colors:border-[Canvas]',
        )}
      >
        <span className="flex flex-wrap items-center gap-2">
          <Badge tone="warn">
            <span className="capitalize">{report.reason}</span>
          </Badge>
          {report.linkStatus !== 'active' && <Badge tone="bad">{report.linkStatus}</Badge>}
          {hasDestinationChanged(report) && <Badge>Destination changed</Badge>}
          {report.openReports + report.notStored > 1 && (
            <span className="text-12 text-ink-3">
              {plural(report.openReports + report.notStored, 'report')}
            </span>
          )}
        </span>
        <span className="mt-1.5 block truncate font-mono text-13 font-medium">
          <bdi dir="ltr">{nameOfLink(report.code, report.domain)}</bdi>
        </span>
        <span className="block truncate text-13 text-ink-2">
          <bdi dir="ltr">{report.reportedHost ?? report.targetHost}</bdi>
        </span>
        <Time at={report.createdAt} className="block text-12 text-ink-3" />
      </Link>
    </li>
  );
}
