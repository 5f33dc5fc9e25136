import type { Domain, DomainFault, DomainRecord, DomainState } from '#contract/domains.ts';
import type { Badge } from '#web/ui/badge.tsx';
import type { ComponentProps } from 'react';

type Tone = NonNullable<ComponentProps<typeof Badge>['tone']>;

export const STATES: Readonly<Record<DomainState, { label: string; tone: Tone }>> = {
  unproven: { label: 'Waiting for DNS', tone: 'warn' },
  pending: { label: 'Connecting', tone: 'warn' },
  active: { label: 'Active', tone: 'good' },
  failing: { label: 'Failing', tone: 'bad' },
  suspended: { label: 'Suspended', tone: 'bad' },
};

/** What is wrong, and what its owner can do. */
const FAULTS: Readonly<Record<DomainFault, string>> = {
  record_missing: 'We can’t see the record yet. A new record can take an hour to show everywhere.',
  wrong_value: 'A record has another value. Change it to the value below.',
  proxied_elsewhere:
    'The CNAME record goes through the proxy of another Cloudflare account (error 1014). Turn the proxy off: set the record to “DNS only”.',
  caa_forbids:
    'A CAA record of the domain forbids the certificate. Allow letsencrypt.org, pki.goog and ssl.com there, or delete the CAA records.',
  held_by_another:
    'Another account uses this domain. If it is yours, replace the old TXT record with the one below: an hour later the domain moves to your account.',
  certificate_pending: 'The records are right. The certificate for HTTPS takes a few minutes.',
  too_many_tries:
    'We stopped checking, because the records were not there for a week. Enter them, then check again.',
  moved: 'The domain no longer points to us. Enter the CNAME record again.',
  blocked:
    'Cloudflare has blocked this domain, for example because of a report about it. Contact support.',
  deleted:
    'The connection was deleted after a week without the records. Check again to restart it.',
  quota_reached: 'This site can hold no more domains. Contact support.',
  platform_unavailable:
    'We couldn’t reach Cloudflare, which connects domains. We’ll try again automatically.',
};

export const isRight = ({ state }: DomainRecord): boolean => state === 'right';

/** What is happening with a domain, and what to do; '' if nothing is. */
export function describeDomain(domain: Domain): string {
  const { state, suspendedReason: reason } = domain;
  const advice = domain.fault === null ? '' : FAULTS[domain.fault];
  switch (state) {
    case 'suspended':
      return `An administrator has stopped this domain${reason === null || reason === '' ? '.' : `: ${reason.replace(/\.?$/, '.')}`} Its links don’t redirect. Contact support if you think that this is a mistake.`;
    case 'failing':
      return `${advice === '' ? 'The last checks failed.' : advice} Its links still work for visitors who reach us, and are not deleted.`;
    case 'unproven':
      return `Step 1 of 2: enter this record at your DNS provider. It proves that the domain is yours. ${domain.checkedAt === null ? '' : advice}`.trim();
    case 'pending':
      return domain.records.every(isRight)
        ? advice
        : `Step 2 of 2: enter the CNAME record, which leads visitors here. Keep the TXT record. ${advice}`.trim();
    case 'active':
      return advice;
  }
}

/** What the last check saw of a record, as a sentence. */
export function describeRecord({ state, seen }: DomainRecord): string {
  if (state === 'right') return 'Found';
  if (state === 'unknown') return 'Not checked yet';
  if (state === 'missing') return 'Not found yet';
  return seen.length === 0 ? 'Has another value' : `Found instead: ${seen.join(', ')}`;
}

/** Who checks a domain that does not work yet, or no longer. */
export const describeChecks = (state: DomainState): string =>
  state === 'unproven'
    ? 'This page checks while it is open. If you close it, come back within 7 days.'
    : 'We check again automatically, also when you close this page.';
