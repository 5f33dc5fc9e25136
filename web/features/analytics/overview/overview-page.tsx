import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Suspense, type ReactNode } from 'react';
import type { OverviewResponse } from '#contract/reports/overview.ts';
import {
  GridError,
  GridSkeleton,
  ReportSkeleton,
} from '#web/features/analytics/report-skeleton.tsx';
import { RangePicker } from '#web/features/analytics/range-picker.tsx';
import { DEFAULT_RANGE, describeInRange, parseSelection } from '#web/features/analytics/range.ts';
import { useRange } from '#web/features/analytics/use-range.ts';
import { NewLinkButton } from '#web/shared/links/new-link-button.tsx';
import { shownCode } from '#web/shared/links/shown-code.ts';
import { useQueryParams } from '#web/shared/page/use-query-params.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { useTagNames } from '#web/shared/link-settings/use-tags.ts';
import { FailedState } from '#web/ui/failed-state.tsx';
import { lazyOr } from '#web/ui/lazy-or.tsx';
import { loadOnline } from '#web/ui/load-online.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { OverviewCard, OverviewNote } from './overview-card.tsx';
import { LinkScope } from './link-scope.tsx';
import { OverviewMenu } from './overview-menu.tsx';
import { overviewOptions, overviewSearch } from './overview-queries.ts';
import { PrintedBrand } from '#web/shared/page/printed-brand.tsx';
import { PrintedRange } from './printed-range.tsx';
import { useCompared, type ComparedNames } from './use-compared.ts';

const OverviewGrid = lazyOr(
  () => loadOnline(() => import('./overview-grid.tsx').then((m) => m.OverviewGrid)),
  GridError,
);
const ComparePanel = lazyOr(
  () => import('./compare-panel.tsx').then((m) => m.ComparePanel),
  () => (
    <ErrorLine
      message="The comparison could not be loaded."
      query={{ refetch: () => window.location.reload() }}
    />
  ),
);

/**
 * `domain` limits the links; null for all. `countries` are the clicks by country in the time that
 * `countriesNote` names.
 */
type RenderLive = (shown: {
  domain: string | null;
  countries: Readonly<Record<string, number>>;
  countriesNote: string;
  onFirstClick?: () => void;
}) => ReactNode;

const SUMMED_UP_HERE = 'Once your links are clicked, their clicks are summed up here.';
const INITIAL = { range: DEFAULT_RANGE } as const;

/**
 * The clicks on all links of the member, or on those with a tag or a host. The URL holds the time
 * range and what is chosen. `onUpgrade` opens the choice of plans, `renderLive` shows the clicks of
 * the last minutes.
 */
export function OverviewPage({
  onUpgrade,
  renderLive,
}: {
  onUpgrade: () => void;
  renderLive: RenderLive;
}) {
  const [query, setQuery] = useQueryParams();
  const range = parseSelection(query) ?? INITIAL;
  const chosen = {
    tag: query.get('tag') ?? '',
    host: query.get('host') ?? '',
    domain: query.get('domain') ?? '',
  };
  const search = overviewSearch(range, chosen);
  const answer = useQuery({
    ...overviewOptions(search),
    placeholderData: keepPreviousData,
    retry: 1,
  });
  const overview = answer.data;
  const showRange = useRange(INITIAL);
  const compared = useCompared();
  const tags = useTagNames();
  const links = overview?.analytics.topLinks.map(({ code, shortUrl }) => ({
    name: code,
    label: shownCode(code, shortUrl),
  }));
  return (
    <div>
      <PrintedBrand />
      <PageHeading
        title="Overview"
        hint={
          <>
            {Object.values(chosen).every((value) => value === '')
              ? 'Clicks on all of your links together.'
              : 'Clicks on the chosen links together.'}
            {overview !== undefined && <PrintedRange overview={overview} />}
          </>
        }
        action={
          <div className="flex items-center gap-1 max-sm:w-full">
            <div className="max-sm:flex-1">
              <RangePicker value={range} onChange={showRange} />
            </div>
            <OverviewMenu overview={overview} search={search} onCompare={compared.start} />
          </div>
        }
      />
      <LinkScope tags={tags} overview={overview} chosen={chosen} onChoose={setQuery} />
      {compared.kind !== null && (
        <div className="mb-4">
          <Suspense fallback={null}>
            <ComparePanel
              kind={compared.kind}
              compared={compared}
              range={range}
              suggestions={
                compared.kind === 'links'
                  ? (links ?? [])
                  : tags.map((name) => ({ name, label: name }))
              }
            />
          </Suspense>
        </div>
      )}
      {overview === undefined ? (
        answer.isError ? (
          <Card>
            <FailedState title="Failed to load the overview" query={answer} />
          </Card>
        ) : (
          <ReportSkeleton />
        )
      ) : (
        <>
          {answer.isError && (
            <div className="mb-4">
              <ErrorLine
                message="The newest numbers could not be loaded. You see earlier ones."
                query={answer}
              />
            </div>
          )}
          <Content
            overview={overview}
            search={search}
            compared={compared}
            stale={answer.isPlaceholderData}
            onUpgrade={onUpgrade}
            renderLive={renderLive}
            onFirstClick={() => void answer.refetch()}
          />
        </>
      )}
    </div>
  );
}

function Content({
  overview,
  search,
  compared,
  stale,
  onUpgrade,
  renderLive,
  onFirstClick,
}: {
  overview: OverviewResponse;
  search: string;
  compared: ComparedNames;
  stale: boolean;
  onUpgrade: () => void;
  renderLive: RenderLive;
  /** Called when the account has its first click. */
  onFirstClick: () => void;
}) {
  const { tag, host, domain } = overview;
  const hasLive = tag === null && host === null;
  if (overview.links === 0)
    return hasLive && domain === null ? (
      <Empty title="No URLs yet" text={SUMMED_UP_HERE}>
        <NewLinkButton label="New link" variant="primary" />
      </Empty>
    ) : (
      <Empty title="No links match" text="None of your links matches all filters.">
        <LinkButton to="/analytics">Show all links</LinkButton>
      </Empty>
    );
  if (!overview.hasClicks)
    return (
      <>
        {hasLive && (
          <div className="mb-4">
            {renderLive({ domain, countries: {}, countriesNote: '', onFirstClick })}
          </div>
        )}
        <Empty
          title="No clicks yet"
          text={
            overview.countedAt === null
              ? 'Your clicks are being counted. Look again in a few minutes.'
              : SUMMED_UP_HERE
          }
        >
          <LinkButton to="/dashboard">Back to My URLs</LinkButton>
        </Empty>
      </>
    );
  return (
    <div
      className={clsx('flex flex-col gap-4 transition-opacity duration-150', stale && 'opacity-50')}
      aria-busy={stale}
    >
      <OverviewCard overview={overview} />
      {hasLive &&
        renderLive({
          domain,
          countries: overview.analytics.clicksByCountry,
          countriesNote: `Dots: clicks ${describeInRange(overview)}.`,
        })}
      <Suspense fallback={<GridSkeleton />}>
        <OverviewGrid
          overview={overview}
          search={search}
          compared={compared}
          onUpgrade={onUpgrade}
        />
      </Suspense>
      <OverviewNote overview={overview} />
    </div>
  );
}

const Empty = ({ title, text, children }: { title: string; text: string; children: ReactNode }) => (
  <Card>
    <EmptyState title={title} action={children}>
      {text}
    </EmptyState>
  </Card>
);
