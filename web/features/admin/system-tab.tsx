import { BellOff } from 'lucide-react';
import type { SystemReport } from '#contract/system.ts';
import { plural, wordFor } from '#contract/language.ts';
import { formatAge, formatDate, formatDateTime } from '#web/shared/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, Panel } from '#web/ui/card.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { Meter } from '#web/ui/meter.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { useSystem } from './queries.ts';
import { SetAsideClicks, SignalList, SystemJobs } from './system-panels.tsx';

export function SystemTab() {
  const query = useSystem();
  const report = query.data;
  return (
    <div className="flex flex-col gap-4">
      {query.isError && (
        <ErrorLine
          message={`The state of the system could not be loaded. ${query.error.message}`}
          query={query}
        />
      )}
      {query.isPending ? (
        <Loading>
          <Skeleton className="h-6 w-64" />
          <Skeleton className="mt-4 h-96 w-full rounded-lg" />
        </Loading>
      ) : (
        report !== undefined && (
          <Report
            report={report}
            onRefresh={() => void query.refetch()}
            refreshing={query.isFetching}
          />
        )
      )}
    </div>
  );
}

function Report({
  report,
  onRefresh,
  refreshing,
}: {
  report: SystemReport;
  onRefresh: () => void;
  refreshing: boolean;
}) {
  const now = Date.parse(report.checked_at);
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 className="text-16 font-semibold">{describeSystem(report)}</h2>
          <p className="text-13 text-ink-3">
            Checked on <time dateTime={report.checked_at}>{formatDateTime(report.checked_at)}</time>
          </p>
        </div>
        <Button size="sm" pending={refreshing} onClick={onRefresh}>
          Check again
        </Button>
      </div>
      <SignalList signals={report.signals} now={now} />
      {!report.alerts.webhook && !report.alerts.mail && <NoAlerts />}
      {report.set_aside.windows > 0 && <SetAsideClicks setAside={report.set_aside} now={now} />}
      <SystemJobs jobs={report.jobs} now={now} />
      <Installation report={report} now={now} />
    </>
  );
}

function describeSystem({ signals }: SystemReport): string {
  const bad = signals.filter(({ state }) => state === 'bad').length;
  if (bad > 0) return `${plural(bad, 'signal')} ${wordFor(bad, 'needs', 'need')} attention`;
  const warnings = signals.filter(({ state }) => state === 'warn').length;
  return warnings > 0 ? `Works, with ${plural(warnings, 'warning')}` : 'Everything works';
}

const NoAlerts = () => (
  <Card className="flex items-start gap-2.5 px-4 py-3 text-13 text-ink-2 sm:px-5">
    <BellOff className="mt-0.5 size-4 shrink-0 text-ink-3" />
    <p>
      Alerts reach the log only. Set <code className="font-mono">MAIL_FROM</code> to mail them to
      administrators, or <code className="font-mono">ALERT_WEBHOOK_URL</code> to send them to a
      chat.
    </p>
  </Card>
);

function Installation({
  report: { release, database, alerts },
  now,
}: {
  report: SystemReport;
  now: number;
}) {
  const channels = [alerts.mail && 'administrators by mail', alerts.webhook && 'the webhook']
    .filter(Boolean)
    .join(' and ');
  const facts = [
    ['Release', release.version],
    ['Schema', release.schema],
    ['Deployed', release.deployed_at === null ? 'Unknown' : formatAge(release.deployed_at, now)],
    ['Alerts go to', channels === '' ? 'the log' : channels],
  ];
  return (
    <Panel title="Installation">
      {database.bytes !== null && (
        <div className="mb-4">
          <p className="mb-1.5 flex flex-wrap justify-between gap-x-4 text-13">
            <span>
              Database: {formatSize(database.bytes)} of {formatSize(database.limit_bytes)}
            </span>
            <span className="text-ink-3">
              {database.full_on === null
                ? 'Too little growth to say when it is full'
                : `Full on ${formatDate(database.full_on)}`}
            </span>
          </p>
          <Meter used={database.bytes} limit={database.limit_bytes} />
        </div>
      )}
      <dl className="grid gap-x-6 gap-y-2 text-13 sm:grid-cols-2">
        {facts.map(([label, value]) => (
          <div key={label} className="flex min-w-0 gap-3">
            <dt className="w-24 shrink-0 text-ink-3">{label}</dt>
            <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** Formats bytes in units of 1000, as the platform counts its limits. */
function formatSize(bytes: number): string {
  const text = (value: number): string =>
    value < 10 ? value.toFixed(1).replace(/\.0$/, '') : value.toFixed(0);
  if (bytes < 1e6) return `${text(bytes / 1e3)} KB`;
  return bytes < 1e9 ? `${text(bytes / 1e6)} MB` : `${text(bytes / 1e9)} GB`;
}
