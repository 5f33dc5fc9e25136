import { BROKEN_ARC, LOOPING_ARC } from '#contract/pages/arcs.ts';
import { localDateFormat } from '#web/shared/texts/format.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, type ComponentProps, type ReactNode } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { AdSlot } from '#web/shared/plans/ad-slot.tsx';
import { RequestError } from '#web/shared/api/api.ts';
import { useQueryParams } from '#web/shared/page/use-query-params.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorLine, type Retry } from '#web/ui/error-line.tsx';
import { useOnline } from '#web/ui/offline.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { findNewestReport, isDenied, useAnalytics } from '#web/features/analytics/queries.ts';
import {
  DEFAULT_RANGE,
  describePeriod,
  isYoung,
  parseSelection,
  searchOf,
  selectionOf,
  type Selection,
} from '#web/features/analytics/range.ts';
import { ReportHead } from './report-head.tsx';
import { ReportSkeleton } from '#web/features/analytics/report-skeleton.tsx';
import { Report } from './report.tsx';
import { FirstClickPanel } from './first-click-panel.tsx';
import { useFilters } from '#web/features/analytics/grid/filters.ts';
import { useRange } from '#web/features/analytics/use-range.ts';

const formatTime = localDateFormat({ timeStyle: 'short' });

/**
 * The analytics of one link. The URL holds the time range. `onUpgrade` opens the choice of plans,
 * `renderQr` renders the QR code of a link.
 */
export function AnalyticsPage({
  onUpgrade,
  onShare,
  renderQr,
}: {
  onUpgrade: () => void;
  /** Opens the form that shares a report of the link. */
  onShare: (code: string) => void;
  renderQr: (code: string) => ReactNode;
}) {
  const { code = '' } = useParams();
  const [query] = useQueryParams();
  const queries = useQueryClient();
  const chosen = parseSelection(query);
  const answer = useAnalytics(code, chosen);
  const kept = answer.data === undefined && answer.isError ? findNewestReport(queries, code) : null;
  const report = answer.data ?? kept?.report;
  const initial: Selection = {
    range: report !== undefined && isYoung(report) ? 'all' : DEFAULT_RANGE,
  };
  const setRange = useRange(initial);
  const current = answer.isPlaceholderData ? undefined : answer.data?.url.short_code;
  const isOnline = useOnline();
  const navigate = useNavigate();
  useEffect(() => {
    // The address contains an earlier code of the link.
    if (current !== undefined && current !== code)
      void navigate(
        { pathname: `/analytics/${encodeURIComponent(current)}`, search: query.toString() },
        { replace: true },
      );
  }, [current, code, query, navigate]);
  if (answer.isError && (report === undefined || isDenied(answer.error)))
    return <NotAvailable error={answer.error} query={answer} />;
  const updatedAt = kept?.updatedAt ?? answer.dataUpdatedAt;
  return (
    <div>
      <ReportHead
        code={code}
        report={report}
        range={chosen ?? initial}
        onRange={setRange}
        failing={answer.isError || !isOnline}
        switching={answer.isPlaceholderData}
        qr={renderQr(code)}
        onShare={() => onShare(code)}
      />
      {report !== undefined && answer.isError && (
        <div className="mb-4 print:hidden">
          <ErrorLine
            message={`Failed to load analytics. You see the report for ${describePeriod(report)}, as of ${formatTime(updatedAt)}.`}
            query={answer}
          />
        </div>
      )}
      {report === undefined ? (
        <ReportSkeleton />
      ) : report.lifetime.totalClicks === 0 ? (
        <FirstClickPanel report={report} qr={renderQr(code)} />
      ) : (
        <FilterableReport
          report={report}
          stale={answer.isPlaceholderData}
          updatedAt={updatedAt}
          onUpgrade={onUpgrade}
        />
      )}
    </div>
  );
}

function FilterableReport(
  props: Omit<ComponentProps<typeof Report>, 'filtering' | 'ad' | 'timesPath'>,
) {
  const { report } = props;
  const code = encodeURIComponent(report.url.short_code);
  return (
    <Report
      {...props}
      filtering={useFilters(report)}
      timesPath={`/api/analytics/${code}/times?${searchOf(selectionOf(report))}`}
      ad={
        <div className="empty:hidden print:hidden">
          <AdSlot place="analytics" />
        </div>
      }
    />
  );
}

function NotAvailable({ error, query }: { error: Error; query: Retry }) {
  const isUnknownLink = error instanceof RequestError && error.status === 404;
  return (
    <div>
      <PageHeading title="Analytics Not Available">
        <span className="sr-only">Analytics Not Available</span>
      </PageHeading>
      <Card>
        <EmptyState
          arc={isUnknownLink ? BROKEN_ARC : LOOPING_ARC}
          title="Analytics Not Available"
          action={
            <div className="flex flex-wrap justify-center gap-2">
              {!isUnknownLink && (
                <Button
                  variant="primary"
                  pending={query.isFetching === true}
                  onClick={() => void query.refetch()}
                >
                  Retry
                </Button>
              )}
              <LinkButton to="/dashboard" variant={isUnknownLink ? 'primary' : 'secondary'}>
                Back to My URLs
              </LinkButton>
            </div>
          }
        >
          {isUnknownLink
            ? 'Failed to load analytics. We couldn’t find this link in your account.'
            : 'Failed to load analytics'}
        </EmptyState>
      </Card>
    </div>
  );
}
