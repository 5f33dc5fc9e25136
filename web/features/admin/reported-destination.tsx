import type { ReportedLink } from '#contract/abuse.ts';
import type { ReportEvidence } from '#contract/report-evidence.ts';
import { formatDateTime, splitHost } from '#web/shared/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { ReportSection } from './report-section.tsx';

/** True if the link had another destination when it was reported. */
export const hasDestinationChanged = ({ reported_url, long_url }: ReportedLink): boolean =>
  reported_url !== null && reported_url !== long_url;

/** Shows the destination at the time of the report, the current one, and earlier ones. */
export function ReportedDestination({ evidence }: { evidence: ReportEvidence }) {
  const { report, destination_changed_at: changedAt, earlier_destinations: earlier } = evidence;
  const changed = changedAt !== null && (
    <p className="mt-1 text-13 text-ink-3">Last changed on {formatDateTime(changedAt)}</p>
  );
  return (
    <>
      <ReportSection title={report.reported_url === null ? 'Destination' : 'Reported destination'}>
        <Destination url={report.reported_url ?? report.long_url} />
        {report.reported_url === null && (
          <p className="mt-1 text-13 text-ink-3">
            The report does not say where the link led at the time.
          </p>
        )}
        {!hasDestinationChanged(report) && changed}
      </ReportSection>
      {hasDestinationChanged(report) && (
        <ReportSection title="Destination now">
          <p className="mb-1">
            <Badge tone="warn">Destination changed</Badge>
          </p>
          {report.long_url === '' ? (
            <p className="text-14 text-ink-3">None.</p>
          ) : (
            <Destination url={report.long_url} />
          )}
          {changed}
        </ReportSection>
      )}
      {earlier.length > 0 && (
        <ReportSection title="Earlier destinations">
          <ul className="m-0 flex list-none flex-col gap-1 p-0">
            {earlier.map(({ long_url: url, until }) => (
              <li key={until} className="min-w-0 text-13 [overflow-wrap:anywhere]">
                <bdi dir="ltr" className="font-mono">
                  {url}
                </bdi>{' '}
                <span className="text-ink-3">until {formatDateTime(until)}</span>
              </li>
            ))}
          </ul>
        </ReportSection>
      )}
    </>
  );
}

function Destination({ url }: { url: string }) {
  const { host, rest } = splitHost(url);
  return (
    <>
      <p className="text-20 font-semibold tracking-tight [overflow-wrap:anywhere]">
        <bdi dir="ltr">{host}</bdi>
      </p>
      {rest !== '' && (
        <p className="mt-0.5 font-mono text-13 [overflow-wrap:anywhere] text-ink-2">
          <bdi dir="ltr">{rest}</bdi>
        </p>
      )}
    </>
  );
}
