import { splitKey } from '#contract/codes/domain-key.ts';
import { Clock, ShieldAlert, ShieldCheck } from 'lucide-react';
import { useId } from 'react';
import type { AdminStats, Change, ClickProof } from '#contract/moderation/admin.ts';
import { DISABLE_PROMISE } from '#contract/site.ts';
import { describeChange } from '#web/shared/link-settings/describe-change.ts';
import { formatNumber, plural } from '#contract/language.ts';
import { formatDate, formatDateTime, readableUrl } from '#web/shared/texts/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { TruncateMiddle } from '#web/ui/truncate-middle.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { Stats, type StatItem } from '#web/ui/stats.tsx';
import { Table } from '#web/ui/table.tsx';
import { nameOfLink, previewOf } from './moderation-scopes.ts';
import { useAdminAction, useStats } from './queries.ts';

export function StatsTab() {
  const query = useStats();
  const stats = query.data;
  const changesId = useId();
  const figure = (value: number | undefined) =>
    value === undefined ? (query.isError ? '–' : null) : formatNumber(value);
  return (
    <div className="flex flex-col gap-4">
      {query.isError && <ErrorLine message="The statistics could not be loaded." query={query} />}
      <Stats
        items={[
          {
            label: 'Total Users',
            value: figure(stats?.total_users),
            note: 'Signed in at least once',
          },
          { label: 'Premium Users', value: figure(stats?.premium_users) },
          { label: 'Free Users', value: figure(stats?.free_users) },
          {
            label: 'Total URLs',
            value: figure(stats?.total_urls),
            note: 'Deleted links not included',
          },
        ]}
      />
      <section aria-labelledby={changesId}>
        <h2 id={changesId} className="mb-2 text-14 font-medium">
          Last 30 days
        </h2>
        <Stats items={changesOf(stats, query.isError)} />
      </section>
      {stats !== undefined && <ClickCheck result={stats.click_proof} />}
      {(stats !== undefined || query.isPending) && (
        <Panel title="Recent URLs">
          {stats === undefined ? (
            <Loading>
              <Skeleton className="h-64 w-full" />
            </Loading>
          ) : stats.recent_urls.length === 0 ? (
            <EmptyState title="No URLs yet">New links appear here.</EmptyState>
          ) : (
            <Table
              caption="Recent URLs, newest first"
              columns={COLUMNS}
              rows={stats.recent_urls}
              keyOf={(url) => url.short_code}
            />
          )}
        </Panel>
      )}
    </div>
  );
}

/**
 * Returns the recent figures, each beside that of the 30 days before. Clicks end with the day of
 * the last daily check.
 */
function changesOf(stats: AdminStats | undefined, failed: boolean): StatItem[] {
  const item = (label: string, change: Change | null | undefined, note?: string): StatItem => ({
    label,
    value: change ? formatNumber(change.now) : stats === undefined && !failed ? null : '–',
    ...(change && { change: describeChange(change.now, change.before) }),
    ...(note !== undefined && { note }),
  });
  const check = stats?.click_proof;
  const clicksNote =
    check?.clicks == null
      ? 'Known after the daily check'
      : `Of people, before ${formatDate(check.checked_at)}`;
  return [
    item('New users', stats?.new_users),
    item('New URLs', stats?.new_urls, 'Deleted links included'),
    item('Clicks', stats && (check?.clicks ?? null), stats && clicksNote),
    item('Reports', stats?.new_reports, stats && `${formatNumber(stats.open_reports)} open`),
  ];
}

type RecentUrl = AdminStats['recent_urls'][number];
const COLUMNS = [
  {
    header: 'Code',
    lead: true,
    cell: ({ short_code: key, domain }: RecentUrl) => (
      <a className="font-mono text-13 hover:underline" href={previewOf(key, domain)}>
        {domain === null ? key : nameOfLink(key, domain)}
      </a>
    ),
  },
  {
    header: 'Destination',
    wide: true,
    cell: (url: RecentUrl) => <TruncateMiddle text={readableUrl(url.long_url)} />,
  },
  { header: 'Clicks', numeric: true, cell: (url: RecentUrl) => formatNumber(url.click_count) },
  { header: 'Date', cell: (url: RecentUrl) => formatDate(url.created_at) },
];

/**
 * Shows the daily check that every link's total equals the sum of its roll-ups, with a button to
 * repair it.
 */
function ClickCheck({ result }: { result: ClickProof }) {
  const { act, running } = useAdminAction();
  const drift = result?.drift ?? [];
  const [Icon, tone] =
    result === null
      ? [Clock, 'text-ink-3']
      : result.ok
        ? [ShieldCheck, 'text-good']
        : [ShieldAlert, 'text-bad'];
  return (
    <Panel title="Data checks">
      <div className="flex flex-col gap-3 text-14">
        <p className="flex items-start gap-2">
          <Icon className={`mt-0.5 size-4 shrink-0 ${tone}`} />
          <span>{describeClickCheck(result)}</span>
        </p>
        {drift.length > 0 && (
          <ul className="list-disc ps-9 text-13 text-ink-2">
            {drift.map((link) => (
              <li key={link.short_code}>
                <span className="font-mono">{splitKey(link.short_code).code}</span>: total{' '}
                {formatNumber(link.found)}, roll-ups {formatNumber(link.expected)}
              </li>
            ))}
          </ul>
        )}
        {result?.ok === false && (
          <div>
            <Button pending={running !== null} onClick={() => act({ action: 'repair_counts' })}>
              Rebuild totals from roll-ups
            </Button>
          </div>
        )}
        <p className="text-13 text-ink-3">{DISABLE_PROMISE}</p>
      </div>
    </Panel>
  );
}

function describeClickCheck(result: ClickProof): string {
  if (result === null) return 'The daily check of the click counts has not run yet.';
  const when = formatDateTime(result.checked_at);
  const links = plural(result.links, 'link');
  if (!result.ok)
    return `Click counts checked on ${when}: the totals of ${formatNumber(result.drift.length)} of ${links} differ from their roll-ups.`;
  return result.is_full === false
    ? `Click counts verified on ${when}: the totals of ${links} clicked lately match their roll-ups. All links are checked once a week.`
    : `Click counts verified on ${when}: the totals of ${links} match their roll-ups.`;
}
