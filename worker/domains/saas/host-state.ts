import type { DomainFault } from '#contract/domains.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import type { SeenDns } from '#worker/domains/proof/read-dns.ts';
import type { Hostname, PlatformFault, PlatformResult } from './platform.ts';

/** The columns of `domain_hosts` that checks read and change. */
export type HostState = {
  saas_id: string;
  saas_status: string;
  ssl_status: string;
  fault: DomainFault | '';
  active_at: number | null;
  failing_since: number | null;
  mails: number;
  checks: number;
  next_check_at: number | null;
};

/** How often the platform itself tries to validate a host, before it deletes the hostname. */
export const TRIES_MAX = 75;
/** Days after which the owner of a failing host gets a mail. */
const MAIL_DAYS = [1, 3, 6] as const;
/** The platform tries ten times in the first twenty minutes. */
const EARLY_TRIES = 10;
const EARLY_MS = 2 * MINUTE_MS;
const LATE_MS = 4 * HOUR_MS;
const SLOWER = 1.5;
const ACTIVE_MS = 6 * HOUR_MS;
const FAILING_MS = HOUR_MS;
const LONG_FAILING_MS = DAY_MS;
/** After this time the platform deletes a hostname that has moved. */
const DELETED_AFTER_MS = 7 * DAY_MS;
const RETRY_MS = 10 * MINUTE_MS;

const ACTIVE: ReadonlySet<string> = new Set(['active', 'active_redeploying']);
const LOST_CERTIFICATE: ReadonlySet<string> = new Set([
  'expired',
  'deleted',
  'validation_timed_out',
]);

const isUp = ({ status, sslStatus }: Hostname, wasActive: boolean): boolean =>
  ACTIVE.has(status) &&
  // A certificate that is being renewed is pending while the old one works.
  (sslStatus === 'active' || (wasActive && !LOST_CERTIFICATE.has(sslStatus)));

const REASONS: Readonly<Record<PlatformFault, DomainFault>> = {
  not_found: 'deleted',
  blocked: 'blocked',
  refused: 'blocked',
  quota: 'quota_reached',
  limited: 'platform_unavailable',
  unavailable: 'platform_unavailable',
};

/** How long to wait after this many checks. */
export function pauseBefore(checks: number): number {
  if (checks < EARLY_TRIES) return EARLY_MS;
  return Math.min(LATE_MS, EARLY_MS * SLOWER ** (checks - EARLY_TRIES + 1));
}

/**
 * The state of a host after a check. `platform` is null if the host has no hostname there, and none
 * was created.
 */
export function nextState<T extends HostState>(
  host: T,
  platform: PlatformResult<Hostname> | null,
  dns: SeenDns,
  now: number,
): T {
  const checks = host.checks + 1;
  const wasActive = host.active_at !== null;
  if (platform?.ok === false && REASONS[platform.reason] === 'platform_unavailable')
    return { ...host, fault: 'platform_unavailable', next_check_at: now + RETRY_MS };
  const known = platform?.ok === true ? platform.value : null;
  const stored = {
    ...host,
    saas_id: known?.id ?? '',
    saas_status: known?.status ?? 'deleted',
    ssl_status: known?.sslStatus ?? '',
    checks,
  };
  if (known !== null && isUp(known, wasActive))
    return {
      ...stored,
      fault: '',
      active_at: host.active_at ?? now,
      failing_since: null,
      mails: 0,
      checks: 0,
      next_check_at: now + ACTIVE_MS,
    };
  const fault = platform?.ok === false ? REASONS[platform.reason] : faultOf(known, dns);
  if (!wasActive) {
    const isOver = checks >= TRIES_MAX;
    return {
      ...stored,
      fault: isOver ? 'too_many_tries' : fault,
      next_check_at: isOver ? null : now + pauseBefore(checks),
    };
  }
  const failingSince = host.failing_since ?? now;
  const isLong = now - failingSince > DELETED_AFTER_MS;
  return {
    ...stored,
    fault,
    failing_since: failingSince,
    next_check_at: now + (isLong ? LONG_FAILING_MS : FAILING_MS),
  };
}

/** Returns why a host does not work. A reason that its owner can change takes precedence. */
function faultOf(known: Hostname | null, dns: SeenDns): DomainFault {
  if (known?.status === 'blocked') return 'blocked';
  if (dns.cname.state === 'right') {
    if (dns.isForbidden) return 'caa_forbids';
    if (known === null || known.status === 'deleted') return 'deleted';
    return known.status === 'moved' ? 'moved' : 'certificate_pending';
  }
  if (dns.isProxied) return 'proxied_elsewhere';
  if (known?.status === 'moved') return 'moved';
  if (known === null || known.status === 'deleted') return 'deleted';
  if (dns.cname.state === 'wrong') return 'wrong_value';
  return dns.cname.state === 'missing' ? 'record_missing' : 'certificate_pending';
}

/** True if the owner of a failing host should get the next mail. */
export function isMailDue({ failing_since, mails }: HostState, now: number): boolean {
  const days = MAIL_DAYS[mails];
  return failing_since !== null && days !== undefined && now - failing_since >= days * DAY_MS;
}
