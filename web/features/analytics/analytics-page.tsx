import { ArrowLeft, ChartNoAxesColumn, Eye } from 'lucide-react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import type { AnalyticsResponse, Range } from '#contract/analytics.ts';
import { AdSlot } from '#web/shared/ad-slot.tsx';
import { ApiError } from '#web/shared/api.ts';
import { readableUrl } from '#web/shared/format.ts';
import { Button, buttonClass, LinkButton } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { ExternalLink } from '#web/ui/external-link.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { LiveStatus } from './live-status.tsx';
import { LongUrl } from './long-url.tsx';
import { useAnalytics } from './queries.ts';
import { RangePicker } from './range-picker.tsx';
import { parseRange } from './range.ts';
import { Report, ReportSkeleton } from './report.tsx';

/** The analytics of one link. The time range is part of the URL. `onUpgrade` opens the choice of plans. */
export function AnalyticsPage({ onUpgrade }: { onUpgrade: () => void }) {
  const { code = '' } = useParams();
  const [query, setQuery] = useSearchParams();
  const range = parseRange(query.get('range'));
  const report = useAnalytics(code, range);
  const setRange = (next: Range): void =>
    setQuery(
      (before) => {
        if (next === 'all') before.delete('range');
        else before.set('range', next);
        return before;
      },
      { replace: true },
    );
  if (report.data === undefined && report.isError) {
    return <NotAvailable error={report.error} onRetry={() => void report.refetch()} retrying={report.isFetching} />;
  }
  return (
    <div>
      <BackLink />
      <Title code={code} url={report.data?.url} />
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <RangePicker value={range} onChange={setRange} />
        {report.data !== undefined && <LiveStatus updatedAt={report.dataUpdatedAt} failing={report.isError} />}
      </div>
      {report.data !== undefined && report.isError && (
        <div className="mb-4">
          <ErrorLine
            message="Failed to load analytics. You see the last version that loaded."
            onRetry={() => void report.refetch()}
            retrying={report.isFetching}
          />
        </div>
      )}
      {report.data === undefined ? (
        <ReportSkeleton />
      ) : (
        <Report report={report.data} stale={report.isPlaceholderData} ad={<AdSlot place="analytics" />} onUpgrade={onUpgrade} />
      )}
    </div>
  );
}

const BackLink = () => (
  <Link to="/dashboard" className="mb-4 inline-flex items-center gap-1.5 text-13 text-ink-3 hover:text-ink">
    <ArrowLeft className="size-4" aria-hidden="true" />
    My URLs
  </Link>
);

function Title({ code, url }: { code: string; url: AnalyticsResponse['url'] | undefined }) {
  return (
    <PageHeading
      title={`Analytics for ${code}`}
      action={
        url !== undefined && (
          <div className="flex gap-2">
            <CopyButton text={url.short_url} name={`Copy ${readableUrl(url.short_url)}`} />
            <ExternalLink href={`/${code}+`} className={buttonClass()}>
              <Eye className="size-4" aria-hidden="true" />
              Preview
            </ExternalLink>
          </div>
        )
      }
      hint={url !== undefined && <LongUrl key={url.long_url} url={url.long_url} />}
    >
      <span className="font-mono text-20 sm:text-24">{url === undefined ? code : readableUrl(url.short_url)}</span>
    </PageHeading>
  );
}

function NotAvailable({ error, onRetry, retrying }: { error: Error; onRetry: () => void; retrying: boolean }) {
  const isUnknownLink = error instanceof ApiError && error.status === 404;
  return (
    <div>
      <PageHeading title="Analytics Not Available">
        <span className="sr-only">Analytics Not Available</span>
      </PageHeading>
      <EmptyState
        icon={<ChartNoAxesColumn aria-hidden="true" />}
        title="Analytics Not Available"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <LinkButton to="/dashboard" variant="primary">
              Back to My URLs
            </LinkButton>
            {!isUnknownLink && (
              <Button pending={retrying} onClick={onRetry}>
                Retry
              </Button>
            )}
          </div>
        }
      >
        {isUnknownLink ? 'Failed to load analytics. We couldn’t find this link in your account.' : 'Failed to load analytics'}
      </EmptyState>
    </div>
  );
}
