import type { ReactNode } from 'react';
import { describeConditions } from '#contract/links/describe-rule.ts';
import { HOST_LINKS_MAX, type ReportEvidence } from '#contract/moderation/report-evidence.ts';
import { formatNumber, plural } from '#contract/language.ts';
import { formatDate, formatDateTime, splitHost } from '#web/shared/texts/format.ts';
import { Time } from '#web/shared/texts/time.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { TextLink } from '#web/ui/external-link.tsx';
import { describeActor, describeEntry } from './log-sentence.ts';
import { describeHolds, isDeletedOwner, nameOfLink, shortId } from './moderation-scopes.ts';
import { ReportedCard } from './reported-card.tsx';
import type { ReportedLink } from '#contract/moderation/abuse.ts';

const STATUS = { open: 'Open', acted: 'Resolved', dismissed: 'Dismissed' } as const;

/**
 * Shows what is known about a reported link: its destinations, owner, host, and earlier decisions.
 */
export function Evidence({
  evidence,
  addressOf,
}: {
  evidence: ReportEvidence;
  addressOf: (report: number) => string;
}) {
  const { report, otherReports: others, decisions } = evidence;
  const host = report.reportedHost ?? report.targetHost;
  return (
    <div className="divide-y divide-line [&>*]:px-4 [&>*]:py-4 sm:[&>*]:px-5">
      <ReportedDestination evidence={evidence} />
      <OtherDestinations evidence={evidence} />
      <ReportSection title="What the report says">
        {report.details === '' ? (
          <p className="text-14 text-ink-3">No details.</p>
        ) : (
          <p dir="auto" className="text-14 whitespace-pre-wrap [overflow-wrap:anywhere]">
            {report.details}
          </p>
        )}
      </ReportSection>
      {evidence.card !== null && (
        <ReportSection title="Preview card">
          <ReportedCard card={evidence.card} code={report.code} />
        </ReportSection>
      )}
      <dl className="grid gap-x-6 gap-y-4 text-14 sm:grid-cols-2">
        <Fact title="Link">
          {plural(evidence.clickCount, 'click')} since {formatDate(report.linkCreatedAt)}
          {report.openReports > 1 && ` · ${plural(report.openReports, 'open report')}`}
          {report.notStored > 0 && (
            <span className="block text-13 text-ink-3">
              and {formatNumber(report.notStored)} more like them, not stored
            </span>
          )}
        </Fact>
        <Fact title="Owner">
          <Owner evidence={evidence} />
        </Fact>
        <Fact title="State">
          {report.holds.length > 0
            ? `Disabled by ${describeHolds(report.holds)}`
            : { active: 'It redirects.', disabled: 'Disabled', deleted: 'Deleted by its owner' }[
                report.linkStatus
              ]}
        </Fact>
        <Fact title="Same host">
          <TextLink to={`/admin?tab=urls&q=${encodeURIComponent(host)}`}>
            {countUpTo(evidence.hostLinks, 'link')}
          </TextLink>{' '}
          to {host}
        </Fact>
        <Fact title="Blocklist">
          {evidence.blocklist.length === 0
            ? 'Not on the blocklist.'
            : evidence.blocklist.map(({ kind, value, reason, createdAt }) => (
                <span key={`${kind} ${value}`} className="block">
                  <span dir="ltr" className="font-mono text-13">
                    {value}
                  </span>{' '}
                  since {formatDate(createdAt)}
                  {reason !== '' && `: ${reason}`}
                </span>
              ))}
        </Fact>
        <Fact title="Reputation">{describeReputation(evidence)}</Fact>
      </dl>
      <ReportSection title="Other reports about this host">
        {others.length === 0 ? (
          <p className="text-14 text-ink-3">None.</p>
        ) : (
          <ul className="m-0 flex list-none flex-col gap-3 p-0">
            {others.map((other) => (
              <li key={other.id} className="min-w-0 text-14">
                <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  <TextLink to={addressOf(other.id)}>Report {other.id}</TextLink>
                  <span>
                    <span className="capitalize">{other.reason}</span> ·{' '}
                    <span dir="ltr" className="font-mono text-13">
                      {nameOfLink(other.code, null)}
                    </span>
                  </span>
                  <Badge>{STATUS[other.status]}</Badge>
                  <Time at={other.createdAt} className="text-13 text-ink-3">
                    {formatDate(other.createdAt)}
                  </Time>
                </p>
                {other.details !== '' && (
                  <p className="mt-0.5 line-clamp-2 text-13 [overflow-wrap:anywhere] text-ink-2">
                    <bdi>{other.details}</bdi>
                  </p>
                )}
              </li>
            ))}
          </ul>
        )}
      </ReportSection>
      <ReportSection title="Earlier decisions">
        {decisions.length === 0 ? (
          <p className="text-14 text-ink-3">None about this link, its host or its owner.</p>
        ) : (
          <ul className="m-0 flex list-none flex-col gap-3 p-0">
            {decisions.map((entry) => (
              <li key={entry.id} className="min-w-0 text-14 [overflow-wrap:anywhere]">
                <p>{describeEntry(entry)}</p>
                <p className="text-13 text-ink-3">
                  {entry.reason !== '' && (
                    <>
                      <bdi>{entry.reason}</bdi> ·{' '}
                    </>
                  )}
                  <Time at={entry.at} /> by {describeActor(entry)}
                </p>
              </li>
            ))}
          </ul>
        )}
      </ReportSection>
    </div>
  );
}

const Fact = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-13 text-ink-3">{title}</dt>
    <dd className="m-0 mt-0.5 [overflow-wrap:anywhere]">{children}</dd>
  </div>
);

function Owner({ evidence: { report, owner } }: { evidence: ReportEvidence }) {
  if (report.ownerId === null) return 'A visitor, without an account';
  if (owner === null)
    return isDeletedOwner(report.ownerId)
      ? `A ${shortId(report.ownerId)}`
      : `User ${shortId(report.ownerId)}, not found`;
  return (
    <>
      <TextLink to={`/admin?tab=users&q=${owner.id}`}>
        {owner.email === '' ? shortId(owner.id) : owner.email}
      </TextLink>{' '}
      {owner.suspended && <Badge tone="bad">Suspended</Badge>}
      <span className="block text-13 text-ink-3">
        {countUpTo(owner.links, 'link')} created · since {formatDate(owner.createdAt)}
      </span>
    </>
  );
}

/** Returns '3 links', or '200 or more links' if the server stopped counting. */
const countUpTo = (count: number, noun: string): string =>
  count >= HOST_LINKS_MAX ? `${formatNumber(count)} or more ${noun}s` : plural(count, noun);

function describeReputation({ report, reputation }: ReportEvidence): string {
  if (report.holds.some(({ kind }) => kind === 'reputation'))
    return 'The host is known for harmful pages.';
  if (!reputation.configured) return 'No reputation service is configured.';
  return reputation.nextCheckAt === null
    ? 'Nothing known. The host is not checked again.'
    : `Nothing known so far. Next check: ${formatDateTime(reputation.nextCheckAt)}.`;
}

const ReportSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h3 className="mb-1.5 text-13 text-ink-3">{title}</h3>
    {children}
  </section>
);

/** True if the link had another destination when it was reported. */
export const hasDestinationChanged = ({ reportedUrl, longUrl }: ReportedLink): boolean =>
  reportedUrl !== null && reportedUrl !== longUrl;

/** Shows the destination at the time of the report, the current one, and earlier ones. */
function ReportedDestination({ evidence }: { evidence: ReportEvidence }) {
  const { report, destinationChangedAt: changedAt, earlierDestinations: earlier } = evidence;
  const changed = changedAt !== null && (
    <p className="mt-1 text-13 text-ink-3">Last changed on {formatDateTime(changedAt)}</p>
  );
  return (
    <>
      <ReportSection title={report.reportedUrl === null ? 'Destination' : 'Reported destination'}>
        <Destination url={report.reportedUrl ?? report.longUrl} />
        {report.reportedUrl === null && (
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
          {report.longUrl === '' ? (
            <p className="text-14 text-ink-3">None.</p>
          ) : (
            <Destination url={report.longUrl} />
          )}
          {changed}
        </ReportSection>
      )}
      {earlier.length > 0 && (
        <ReportSection title="Earlier destinations">
          <ul className="m-0 flex list-none flex-col gap-1 p-0">
            {earlier.map(({ longUrl: url, until }) => (
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

/** Shows where rules, and the end of the link, lead. */
function OtherDestinations({ evidence: { otherDestinations: others } }: Shown) {
  if (others.length === 0) return null;
  return (
    <ReportSection title="Leads elsewhere">
      <ul className="m-0 flex list-none flex-col gap-3 p-0">
        {others.map(({ longUrl: url, conditions, isFallback, share, blocked }) => (
          <li key={url} className="min-w-0 text-14 [overflow-wrap:anywhere]">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <bdi dir="ltr" className="min-w-0 font-medium">
                {splitHost(url).host}
              </bdi>
              {blocked && <Badge tone="bad">On the blocklist</Badge>}
            </p>
            <p className="font-mono text-13 text-ink-2">
              <bdi dir="ltr">{url}</bdi>
            </p>
            {conditions.map((one) => (
              <p key={describeConditions(one)} className="text-13 text-ink-3">
                By a rule. {describeConditions(one)}
              </p>
            ))}
            {share !== null && <p className="text-13 text-ink-3">For {share}% of its visitors.</p>}
            {isFallback && <p className="text-13 text-ink-3">After the end date.</p>}
          </li>
        ))}
      </ul>
    </ReportSection>
  );
}
type Shown = { evidence: ReportEvidence };
