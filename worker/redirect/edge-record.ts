import type { LinkKey } from '#contract/link-key.ts';

/**
 * A link as KV holds it: `edgeKey` is the key, this record as JSON the value. Keys are never
 * deleted. A link that is disabled or deleted gets a record of a higher version, a tombstone: a
 * missing key means "read D1", and an older record that arrives late would make the link redirect
 * again.
 */
export type EdgeRecord = {
  /** The link's version in D1. Of two records the one with the higher version is current. */
  v: number;
  /** Link id. */
  i: number;
  /** Status: a = active, d = disabled, x = deleted. */
  s: 'a' | 'd' | 'x';
  /** The target's href. '' if the link does not redirect. */
  u: string;
  /** When the link expires, in ms since 1970. 0 = never. */
  e: number;
  /**
   * Why the link is disabled, as a sentence for the 410 page. `LOST` for a link that a restore
   * lost.
   */
  r?: string;
  /**
   * The query parameters that are added to the target: '*' for all, or names separated by commas.
   * Absent = none. An older Worker ignores this member and adds none, so the target stays valid.
   */
  f?: string;
};

/**
 * The reason of a code whose link was created after the backup that was restored. The code answers
 * 404, and its tombstone keeps it from being used again.
 */
export const LOST_REASON = 'This link was made after the backup that was restored.';

export type EdgeRecordRow = {
  id: number;
  target: string;
  status: 'active' | 'disabled' | 'deleted';
  disabled_reason: string | null;
  expires_at: number | null;
  version: number;
  forward_params: string;
};

export const EDGE_RECORD_COLUMNS =
  'id, target, status, disabled_reason, expires_at, version, forward_params';

const STATUS = { active: 'a', disabled: 'd', deleted: 'x' } as const;
/** A valid Location header (SECURITY.md T12). Hop stores hrefs, which are printable ASCII. */
const HREF = /^https?:\/\/[\x21-\x7e]+$/;

const EPOCH = /^[a-z0-9]{1,16}$/;
let lastEpoch = '';
let lastPrefix = '';

/**
 * The name of a link's KV entry. Keys of links contain no ':', so none can name another kind of
 * entry. `epoch` is LINKS_EPOCH; a new value makes every earlier record unreachable. After D1 is
 * restored to an earlier time, KV still holds links that D1 has lost, and D1 assigns their ids
 * again (SECURITY.md A11). Throws if the epoch is malformed.
 */
export function edgeKey(epoch: string, key: LinkKey): string {
  return epoch ? prefixOf(epoch) + key : key;
}

function prefixOf(epoch: string): string {
  if (epoch === lastEpoch) return lastPrefix;
  if (!EPOCH.test(epoch))
    throw new Error(
      `LINKS_EPOCH is "${epoch}", but must be empty or 1 to 16 lower-case letters and digits. Change it in wrangler.toml.`,
    );
  lastEpoch = epoch;
  lastPrefix = `${epoch}:`;
  return lastPrefix;
}

export function toEdgeRecord(row: EdgeRecordRow): EdgeRecord {
  const s = STATUS[row.status];
  const record: EdgeRecord = {
    v: row.version,
    i: row.id,
    s,
    u: s === 'a' ? row.target : '',
    e: row.expires_at ?? 0,
  };
  if (row.disabled_reason && (s === 'd' || row.disabled_reason === LOST_REASON))
    record.r = row.disabled_reason;
  if (s === 'a' && row.forward_params !== '') record.f = row.forward_params;
  return record;
}

export const encodeEdgeRecord = (record: EdgeRecord): string => JSON.stringify(record);

/**
 * Matches an active record exactly as `encodeEdgeRecord` writes it. An href contains no quote and
 * no backslash, so JSON does not escape it. Matching takes a fifth of the time of parsing and
 * validating JSON.
 */
const ACTIVE =
  /^\{"v":(\d{1,15}),"i":(\d{1,15}),"s":"a","u":"(https?:\/\/[!#-[\]-~]+)","e":(\d{1,15})\}$/;

/** The longest `f` has ten names of 40 characters. */
const FORWARD_MAX = 410;

/**
 * Parses a KV value. Null for anything that `encodeEdgeRecord` did not write, so that the caller
 * reads D1.
 */
export function decodeEdgeRecord(text: string): EdgeRecord | null {
  const active = ACTIVE.exec(text);
  if (active !== null)
    return {
      v: Number(active[1]),
      i: Number(active[2]),
      s: 'a',
      u: active[3] ?? '',
      e: Number(active[4]),
    };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return isEdgeRecord(value) ? value : null;
}

function isEdgeRecord(value: unknown): value is EdgeRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { v, i, s, u, e, r, f }: Partial<Record<keyof EdgeRecord, unknown>> = value;
  return (
    isCount(v) &&
    isCount(i) &&
    isCount(e) &&
    typeof u === 'string' &&
    (s === 'a' ? HREF.test(u) : s === 'd' || s === 'x') &&
    (r === undefined || typeof r === 'string') &&
    (f === undefined || (typeof f === 'string' && f.length <= FORWARD_MAX))
  );
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** True if the link redirects at `now` (ms since 1970). */
export const isLive = (record: EdgeRecord, now: number): boolean =>
  record.s === 'a' && (record.e === 0 || record.e > now);
