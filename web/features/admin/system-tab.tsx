import { CircleAlert, CircleCheck, CircleHelp, OctagonAlert } from 'lucide-react';
import {
  type SystemReport,
  SIGNAL_TITLES,
  type Signal,
  type SignalState,
  type SystemJob,
} from '#contract/system/system.ts';
import { formatBytes } from '#contract/format-bytes.ts';
import { plural, wordFor, formatNumber } from '#contract/language.ts';
import { formatAge, formatDate } from '#web/shared/texts/format.ts';
import { Time } from '#web/shared/texts/time.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, Panel } from '#web/ui/card.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { Meter } from '#web/ui/meter.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { AlertsPanel } from './alerts-panel.tsx';
import { ProviderReport } from './provider-report.tsx';
import { useReplaySetAside, useSystem } from './queries.ts';
import { Badge } from '#web/ui/badge.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { useState } from 'react';
import { KEEP_SET_ASIDE_DAYS } from '#contract/limits.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

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
  const now = Date.parse(report.checkedAt);
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 className="text-16 font-semibold">{describeSystem(report)}</h2>
          <p className="text-13 text-ink-3">
            Checked on <Time at={report.checkedAt} />
          </p>
        </div>
        <Button size="sm" pending={refreshing} onClick={onRefresh}>
          Check again
        </Button>
      </div>
      <SignalList signals={report.signals} now={now} />
      {report.setAside.windows > 0 && <SetAsideClicks setAside={report.setAside} now={now} />}
      {report.alerts.length > 0 && <AlertsPanel channels={report.alerts} />}
      {report.sso !== null && <ProviderReport sso={report.sso} now={now} />}
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

function Installation({
  report: { release, database },
  now,
}: {
  report: SystemReport;
  now: number;
}) {
  const facts = [
    ['Release', release.version],
    ['Schema', release.schema],
    ['Deployed', release.deployedAt === null ? 'Unknown' : formatAge(release.deployedAt, now)],
  ];
  return (
    <Panel title="Installation">
      {database.bytes !== null && (
        <div className="mb-4">
          <p className="mb-1.5 flex flex-wrap justify-between gap-x-4 text-13">
            <span>
              Database: {formatBytes(database.bytes)} of {formatBytes(database.limitBytes)}
            </span>
            <span className="text-ink-3">
              {database.fullOn === null
                ? 'Too little growth to say when it is full'
                : `Full on ${formatDate(database.fullOn)}`}
            </span>
          </p>
          <Meter used={database.bytes} limit={database.limitBytes} />
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

/** Problems come first. */
const ORDER: readonly SignalState[] = ['bad', 'warn', 'unknown', 'ok'];
const LOOKS = {
  bad: { Icon: OctagonAlert, tone: 'text-bad', label: 'Fault' },
  warn: { Icon: CircleAlert, tone: 'text-warn', label: 'Warning' },
  unknown: { Icon: CircleHelp, tone: 'text-ink-3', label: 'Unknown' },
  ok: { Icon: CircleCheck, tone: 'text-good', label: 'Fine' },
} as const;

/** Shows a line per signal: its name, a sentence about it and its figure. */
function SignalList({ signals, now }: { signals: readonly Signal[]; now: number }) {
  const sorted = signals.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  return (
    <Card>
      <ul aria-label="Signals" className="divide-y divide-line">
        {sorted.map((signal) => (
          <SignalLine key={signal.signal} signal={signal} now={now} />
        ))}
      </ul>
    </Card>
  );
}

function SignalLine({
  signal: { signal, state, sentence, figure, since },
  now,
}: {
  signal: Signal;
  now: number;
}) {
  const { Icon, tone, label } = LOOKS[state];
  return (
    <li className="relative flex items-start gap-3 px-4 py-3 text-14 sm:px-5">
      <Icon className={`mt-0.5 size-4 shrink-0 ${tone}`} />
      <div className="min-w-0 flex-1 gap-x-3 sm:flex">
        <p className="shrink-0 font-medium max-sm:pe-28 sm:w-32">
          {SIGNAL_TITLES[signal]}
          <span className="sr-only">: {label}.</span>
        </p>
        <div className="min-w-0 flex-1">
          <p className={state === 'ok' || state === 'unknown' ? 'text-ink-2' : 'text-ink'}>
            {sentence}
          </p>
          {since !== null && (
            <p className="text-13 text-ink-3">
              Since <Time at={since} />, {formatAge(since, now)}
            </p>
          )}
        </div>
      </div>
      {figure !== '' && (
        <p className="shrink-0 text-13 whitespace-nowrap text-ink-3 tabular-nums max-sm:absolute max-sm:inset-e-4">
          {figure}
        </p>
      )}
    </li>
  );
}

function SystemJobs({ jobs, now }: { jobs: readonly SystemJob[]; now: number }) {
  return (
    <Panel title="Jobs">
      {jobs.length === 0 ? (
        <EmptyState title="No job has run yet">Cron runs them every minute.</EmptyState>
      ) : (
        <ul aria-label="Jobs" className="-my-2 divide-y divide-line text-13">
          {jobs.map((job) => (
            <Job key={job.name} job={job} now={now} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

const Job = ({ job, now }: { job: SystemJob; now: number }) => (
  <li className="grid grid-cols-[1fr_auto] gap-x-4 py-2 sm:grid-cols-[9rem_1fr_auto]">
    <span className="font-mono">{job.name}</span>
    <span className="min-w-0 text-ink-2 [overflow-wrap:anywhere] max-sm:col-span-2 max-sm:row-start-2">
      <State job={job} /> {job.detail}
    </span>
    <Time
      className="text-ink-3 tabular-nums max-sm:col-start-2 max-sm:row-start-1"
      at={job.startedAt}
    >
      {formatAge(job.startedAt, now)}
    </Time>
  </li>
);

function State({ job: { failingSince, finishedAt, backlog } }: { job: SystemJob }) {
  if (failingSince !== null) return <Badge tone="bad">Fails</Badge>;
  if (finishedAt === null) return <Badge>Running</Badge>;
  return backlog === null ? null : <Badge tone="warn">{formatNumber(backlog.left)} left</Badge>;
}

function SetAsideClicks({ setAside, now }: { setAside: SystemReport['setAside']; now: number }) {
  const [isConfirming, setIsConfirming] = useState(false);
  const { mutate, isPending } = useReplaySetAside();
  const size = `${plural(setAside.clicks, 'click')} in ${plural(setAside.windows, 'window')}`;
  return (
    <Panel
      title="Clicks that are set aside"
      hint={`${size}. They are kept for ${KEEP_SET_ASIDE_DAYS} days.`}
      action={
        <Button pending={isPending} onClick={() => setIsConfirming(true)}>
          Count now
        </Button>
      }
    >
      <ul className="divide-y divide-line text-13">
        {setAside.reasons.map(({ reason, windows, clicks, since }) => (
          <li key={reason} className="py-2 first:pt-0 last:pb-0">
            <p className="[overflow-wrap:anywhere]">{reason}</p>
            <p className="text-ink-3 tabular-nums">
              {plural(clicks, 'click')} in {plural(windows, 'window')}, the first{' '}
              {formatAge(since, now)}
            </p>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title="Count these clicks?"
        action="Count clicks"
        tone="primary"
        onConfirm={() => {
          setIsConfirming(false);
          mutate();
        }}
      >
        {size} are counted on the days on which they happened. Each counts once, even if it was
        counted before. Visitors are not counted, because their ids are gone.
      </ConfirmDialog>
    </Panel>
  );
}
