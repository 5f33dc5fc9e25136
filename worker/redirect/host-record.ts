import type { DomainId } from '#contract/codes/domain-key.ts';
import { edgeKey } from './edge-record.ts';

/**
 * A host of a domain as KV holds it: `hostKey` is the key, this record as JSON the value. Like edge
 * records of links, records of hosts are never deleted.
 */
export type HostRecord = {
  /**
   * The version of the domain. Of two records the one with the higher version is current, also if
   * the host leads to another domain by now: its version begins above that of the former one.
   */
  v: number;
  /** The domain; '' for none. */
  d: DomainId;
  /** a = active, s = suspended, x = leads to no domain. */
  s: 'a' | 's' | 'x';
  /** Where the root leads: an href. Absent for the page that names this service. */
  r?: string;
  /** Where unknown codes lead: an href. Absent for the 404 page. */
  n?: string;
  /** 1 for a host of the operator, which is served only while SHORT_HOSTS names it. */
  o?: 1;
};

export type HostRow = {
  host: string;
  domain_id: DomainId;
  owner_id: string;
  status: string;
  root_url: string;
  not_found_url: string;
  version: number;
};

/**
 * The hosts of `hosts(host)`, a table of the statement, that lead to a domain. A host of a member
 * must be proven. The domains of a suspended member are suspended.
 */
export const HOST_ROWS = `SELECT h.host, h.domain_id, d.owner_id, d.root_url, d.not_found_url, d.version,
    iif(EXISTS (SELECT 1 FROM users WHERE id = d.owner_id AND suspended_at IS NOT NULL), 'suspended', d.status) AS status
  FROM hosts CROSS JOIN domain_hosts AS h ON h.host = hosts.host CROSS JOIN domains AS d ON d.id = h.domain_id
  WHERE d.status <> 'deleted' AND (d.owner_id = '' OR h.proven_at IS NOT NULL)`;

/** No code has a colon, so no link has this key. */
export const hostKey = (epoch: string, host: string): string => edgeKey(epoch, `host:${host}`);

export function toHostRecord(row: HostRow): HostRecord {
  const record: HostRecord = {
    v: row.version,
    d: row.domain_id,
    s: row.status === 'active' ? 'a' : 's',
  };
  if (row.root_url !== '') record.r = row.root_url;
  if (row.not_found_url !== '') record.n = row.not_found_url;
  if (row.owner_id === '') record.o = 1;
  return record;
}

const HREF = /^https?:\/\/[!#-[\]-~]+$/;
const DOMAIN_ID = /^d\.[a-z0-9]{10}$/;

/** Parses a KV value. Null for anything that this release did not write: the caller reads D1. */
export function decodeHostRecord(text: string): HostRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return isHostRecord(value) ? value : null;
}

function isHostRecord(value: unknown): value is HostRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { v, d, s, r, n, o }: Partial<Record<keyof HostRecord, unknown>> = value;
  return (
    typeof v === 'number' &&
    typeof d === 'string' &&
    (s === 'x' ? d === '' : (s === 'a' || s === 's') && DOMAIN_ID.test(d)) &&
    isPage(r) &&
    isPage(n) &&
    (o === undefined || o === 1)
  );
}

const isPage = (page: unknown): boolean =>
  page === undefined || (typeof page === 'string' && HREF.test(page));
