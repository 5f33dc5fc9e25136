import { Clock, ShieldAlert, ShieldCheck } from 'lucide-react';
import type { AdminStats, ClickProof } from '#contract/admin.ts';
import { formatDate, formatDateTime, formatNumber, plural, readableUrl } from '#web/shared/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { TruncateMiddle } from '#web/ui/truncate-middle.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { Stats } from '#web/ui/stats.tsx';
import { Table } from '#web/ui/table.tsx';
import { useAdminAction, useStats } from './queries.ts';

/** The site in four figures, its newest links, and whether its counts add up. */
export function StatsTab() {
  const query = useStats();
  const stats = query.data;
  const figure = (value: number | undefined) => (value === undefined ? (query.isError ? '–' : null) : formatNumber(value));
  return (
    <div className="flex flex-col gap-4">
      {query.isError && (
        <ErrorLine message="The statistics did not load." onRetry={() => void query.refetch()} retrying={query.isFetching} />
      )}
      <Stats
        items={[
          { label: 'Total Users', value: figure(stats?.total_users), definition: 'People who have signed in at least once.' },
          { label: 'Premium Users', value: figure(stats?.premium_users) },
          { label: 'Free Users', value: figure(stats?.free_users) },
          { label: 'Total URLs', value: figure(stats?.total_urls), definition: 'Short links that were made and not deleted.' },
        ]}
      />
      {stats !== undefined && <Proof proof={stats.click_proof} bound={stats.disable_bound_seconds} />}
      <Panel title="Recent URLs">
        {query.isPending ? (
          <Loading>
            <Skeleton className="h-64 w-full" />
          </Loading>
        ) : stats === undefined || stats.recent_urls.length === 0 ? (
          <EmptyState title="No URLs yet">Links show up here as they are made.</EmptyState>
        ) : (
          <Table caption="Recent URLs, newest first" columns={COLUMNS} rows={stats.recent_urls} keyOf={(url) => url.short_code} />
        )}
      </Panel>
    </div>
  );
}

type RecentUrl = AdminStats['recent_urls'][number];
const COLUMNS = [
  {
    header: 'Code',
    lead: true,
    cell: (url: RecentUrl) => (
      <a className="font-mono text-13 hover:underline" href={`/${url.short_code}+`}>
        {url.short_code}
      </a>
    ),
  },
  { header: 'Long URL', cell: (url: RecentUrl) => <TruncateMiddle text={readableUrl(url.long_url)} /> },
  { header: 'Clicks', numeric: true, cell: (url: RecentUrl) => formatNumber(url.click_count) },
  { header: 'Date', cell: (url: RecentUrl) => formatDate(url.created_at) },
];

/** The daily check that every link's total equals the sum of its roll-ups, and the repair where it does not. */
function Proof({ proof, bound }: { proof: ClickProof; bound: number }) {
  const { act, isPending } = useAdminAction();
  const drift = proof?.drift ?? [];
  const [Icon, tone] = proof === null ? [Clock, 'text-ink-3'] : proof.ok ? [ShieldCheck, 'text-good'] : [ShieldAlert, 'text-bad'];
  return (
    <Panel title="Counts and copies">
      <div className="flex flex-col gap-3 text-14">
        <p className="flex items-start gap-2">
          <Icon className={`mt-0.5 size-4 shrink-0 ${tone}`} aria-hidden="true" />
          <span>{describeClickCheck(proof)}</span>
        </p>
        {drift.length > 0 && (
          <ul className="list-disc pl-9 text-13 text-ink-2">
            {drift.map((link) => (
              <li key={link.short_code}>
                <span className="font-mono">{link.short_code}</span>: total {formatNumber(link.found)}, roll-ups{' '}
                {formatNumber(link.expected)}
              </li>
            ))}
          </ul>
        )}
        {proof?.ok === false && (
          <div>
            <Button pending={isPending} onClick={() => act({ action: 'repair_counts' })}>
              Rebuild totals from roll-ups
            </Button>
          </div>
        )}
        <p className="text-13 text-ink-3">
          A disabled link stops everywhere within about {bound} seconds after its new state has reached the edge, which usually
          takes less than a minute.
        </p>
      </div>
    </Panel>
  );
}

/** The proof's outcome as a sentence. */
export function describeClickCheck(proof: ClickProof): string {
  if (proof === null) return 'The first daily check of click counts has not run yet.';
  const when = formatDateTime(proof.checked_at);
  return proof.ok
    ? `Counts verified ${when}: the totals of ${plural(proof.links, 'link')} equal the sum of their roll-ups.`
    : `Checked ${when}: ${plural(proof.drift.length, 'link')} of ${formatNumber(proof.links)} differ from their roll-ups.`;
}
