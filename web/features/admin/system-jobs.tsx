import type { SystemJob } from '#contract/system.ts';
import { formatNumber } from '#contract/language.ts';
import { formatAge, formatDateTime } from '#web/shared/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Panel } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

export function SystemJobs({ jobs, now }: { jobs: readonly SystemJob[]; now: number }) {
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
    <time
      className="text-ink-3 tabular-nums max-sm:col-start-2 max-sm:row-start-1"
      dateTime={job.started_at}
      title={formatDateTime(job.started_at)}
    >
      {formatAge(job.started_at, now)}
    </time>
  </li>
);

function State({ job: { failing_since, finished_at, backlog } }: { job: SystemJob }) {
  if (failing_since !== null) return <Badge tone="bad">Fails</Badge>;
  if (finished_at === null) return <Badge>Running</Badge>;
  return backlog === null ? null : <Badge tone="warn">{formatNumber(backlog.left)} left</Badge>;
}
