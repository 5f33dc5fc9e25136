import type { LinkKey } from '#contract/codes/link-key.ts';
import {
  GATE_COLUMNS,
  GATE_VERSION,
  HREF,
  isConditional,
  isGate,
  isGuarded,
  toGate,
  versionOf,
  type Gate,
  type GateRow,
} from './gate.ts';
import { isShares, toShares, type Share } from './shares.ts';

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
  /**
   * Between which destinations the link divides its visitors, its own first. Absent for a link
   * without variants. An older Worker ignores this member and redirects to the target.
   */
  w?: Share[];
  /**
   * 1 if the link has a preview card, which only programs that build cards see. An older Worker
   * ignores this member and redirects them.
   */
  k?: 1;
  /** Absent for a link that always redirects to its target. */
  g?: Gate;
};

/** The reason of a link whose conditions this release does not know (docs/decisions.md#d65). */
export const CLOSED_REASON = 'This link has rules that this server cannot apply at the moment.';

/**
 * The reason of a code whose link was created after the backup that was restored. The code answers
 * 404, and its tombstone keeps it from being used again.
 */
export const LOST_REASON = 'This link was made after the backup that was restored.';

export type EdgeRecordRow = GateRow & {
  id: number;
  target: string;
  /** As stored: 'active', 'conditional', 'guarded', 'disabled', 'deleted', or one of a later release. */
  status: string;
  disabled_reason: string | null;
  expires_at: number | null;
  version: number;
  forward_params: string;
  variants: string;
  card_at: number | null;
};

export const EDGE_RECORD_COLUMNS = `id, target, status, disabled_reason, expires_at, version, forward_params, variants, card_at, ${GATE_COLUMNS.join(', ')}`;

const STATUS: Readonly<Record<string, EdgeRecord['s']>> = {
  active: 'a',
  conditional: 'a',
  guarded: 'a',
  disabled: 'd',
  deleted: 'x',
};
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

/**
 * Never throws: a row that this release cannot read does not redirect. Nor does a conditional or
 * guarded one that has lost its conditions.
 */
export function toEdgeRecord(row: EdgeRecordRow): EdgeRecord {
  const s = STATUS[row.status];
  const g = s === 'a' ? toGate(row) : undefined;
  const hasLostConditions =
    (row.status === 'conditional' && !(g && isConditional(g))) ||
    (row.status === 'guarded' && !(g && isGuarded(g)));
  if (s === undefined || g === null || hasLostConditions)
    return close(row.version, row.id, row.expires_at ?? 0);
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
  const w = s === 'a' ? toShares(row.target, row.variants) : undefined;
  if (w !== undefined) record.w = w;
  // The card would tell where a link with a password or a click limit leads.
  if (s === 'a' && row.card_at !== null && row.status !== 'guarded') record.k = 1;
  if (g !== undefined) record.g = g;
  return record;
}

const close = (v: number, i: number, e: number): EdgeRecord => ({
  v,
  i,
  s: 'd',
  u: '',
  e,
  r: CLOSED_REASON,
});

/**
 * A link that does not redirect everyone is written as disabled, with its target inside the gate, so
 * that a Worker that does not read this gate answers 410 instead of redirecting past a rule.
 */
export function encodeEdgeRecord(record: EdgeRecord): string {
  const { g, ...rest } = record;
  if (g === undefined) return JSON.stringify(record);
  const gate = { v: versionOf(g), ...g };
  if (!isConditional(g)) return JSON.stringify({ ...rest, g: gate });
  const closed = { ...rest, s: 'd', u: '', r: CLOSED_REASON };
  return JSON.stringify({ ...closed, g: { ...gate, u: record.u } });
}

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
  if (!isEdgeRecord(value)) return null;
  return 'g' in value ? openGate(value, value.g) : value;
}

/** Reads a record with a gate. One of another version does not redirect. */
function openGate(value: EdgeRecord, g: unknown): EdgeRecord | null {
  if (typeof g !== 'object' || g === null) return null;
  const { g: _g, ...record } = value;
  const { v, u, ...gate }: { v?: unknown; u?: unknown } = g;
  if (typeof v !== 'number' || v > GATE_VERSION) return close(record.v, record.i, record.e);
  if (!isGate(gate) || v !== versionOf(gate)) return null;
  if (!isConditional(gate)) return u === undefined ? { ...record, g: gate } : null;
  if (typeof u !== 'string' || !HREF.test(u) || record.s !== 'd') return null;
  const { r: _r, ...open } = record;
  return { ...open, s: 'a', u, g: gate };
}

function isEdgeRecord(value: unknown): value is EdgeRecord & { g?: never } {
  if (typeof value !== 'object' || value === null) return false;
  const { v, i, s, u, e, r, f, w, k }: Partial<Record<keyof EdgeRecord, unknown>> = value;
  return (
    isCount(v) &&
    isCount(i) &&
    isCount(e) &&
    typeof u === 'string' &&
    (s === 'a' ? HREF.test(u) : s === 'd' || s === 'x') &&
    (r === undefined || typeof r === 'string') &&
    (f === undefined || (typeof f === 'string' && f.length <= FORWARD_MAX)) &&
    (w === undefined || isShares(w)) &&
    (k === undefined || k === 1)
  );
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/**
 * True if a link without a gate redirects at `now` (ms since 1970), and whether one with a gate is
 * between its start and its end.
 */
export const isLive = (record: EdgeRecord, now: number): boolean =>
  record.s === 'a' &&
  (record.e === 0 || record.e > now) &&
  (record.g === undefined || record.g.n === undefined || record.g.n <= now);

/** When an active link begins to redirect; null if it has begun or does not. */
export const laterStart = ({ s, e, g }: EdgeRecord, now: number): number | null =>
  s === 'a' && (e === 0 || e > now) && g?.n !== undefined && g.n > now ? g.n : null;

/** What keeps the destination of a live link secret; null if nothing does. */
export const guardOf = (record: EdgeRecord, now: number): 'password' | 'limit' | null => {
  if (record.g === undefined || !isGuarded(record.g) || !isLive(record, now)) return null;
  return record.g.p === undefined ? 'limit' : 'password';
};
