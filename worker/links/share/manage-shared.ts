import { SHARED_REPORTS_MAX } from '#contract/limits.ts';
import { sharedReportAddress } from '#contract/pages/paths.ts';
import { dayNumber, utcDate } from '#contract/reports/periods.ts';
import type {
  CreatedSharedReport,
  SharedPart,
  SharedReport,
  SharedReportChange,
  SharedReportInput,
} from '#contract/reports/shared-reports.ts';
import { DAY_MS } from '#contract/time.ts';
import type { Hashers } from '#worker/auth/password/hasher-pool.ts';
import { hashPassword } from '#worker/auth/password/password.ts';
import type { Db } from '#worker/db/client.ts';
import { hashToken, randomToken } from '#worker/secrets/one-time-secret.ts';
import {
  insertSharedReport,
  listSharedReports,
  readSharedReport,
  updateSharedReport,
  type Changes,
  type SharedRowOfMember,
} from './shared-store.ts';

type Refusal = {
  ok: false;
  reason:
    | 'shared_ends_in_past'
    | 'too_many_shared_reports'
    | 'not_own_link'
    | 'tag_not_found'
    | 'not_own_shared_report'
    | 'passwords_busy';
};
type Member = { userId: string; appOrigin: string; hashers: Hashers; now: number };

/**
 * Shares a link or a tag. The address is only known now, because D1 stores a hash of its secret.
 */
export async function shareReport(
  db: Db,
  { userId, appOrigin, hashers, now }: Member,
  input: SharedReportInput,
): Promise<{ ok: true; report: CreatedSharedReport } | Refusal> {
  const read = await readSettings(hashers, input, now);
  if (!read.ok) return read;
  const { title, parts, period, ...others } = read.changes;
  const secret = randomToken();
  const values = {
    id: crypto.randomUUID(),
    user_id: userId,
    secret_hash: hashToken(secret),
    title: title ?? input.title,
    parts: parts ?? [],
    period: period ?? input.period,
    ...others,
    created_at: now,
    updated_at: now,
  };
  const { code, tagId } = input;
  const subject = code === undefined ? { tagId: tagId ?? 0 } : { code };
  const isInserted = await insertSharedReport(db, subject, values);
  const row = isInserted ? await readSharedReport(db, userId, values.id, now) : undefined;
  if (row !== undefined)
    return {
      ok: true,
      report: { ...toSharedReport(row), address: sharedReportAddress(appOrigin, secret) },
    };
  const all = await listSharedReports(db, userId, now);
  if (all.length >= SHARED_REPORTS_MAX) return { ok: false, reason: 'too_many_shared_reports' };
  return { ok: false, reason: code === undefined ? 'tag_not_found' : 'not_own_link' };
}

export async function changeSharedReport(
  db: Db,
  { userId, hashers, now }: Member,
  id: string,
  change: SharedReportChange,
): Promise<{ ok: true; report: SharedReport } | Refusal> {
  const read = await readSettings(hashers, change, now);
  if (!read.ok) return read;
  await updateSharedReport(db, { userId, id }, read.changes, now);
  const row = await readSharedReport(db, userId, id, now);
  return row === undefined
    ? { ok: false, reason: 'not_own_shared_report' }
    : { ok: true, report: toSharedReport(row) };
}

export const readSharedReports = async (
  db: Db,
  userId: string,
  now: number,
): Promise<SharedReport[]> => (await listSharedReports(db, userId, now)).map(toSharedReport);

/** Converts the given settings to columns. Hashes a password. */
async function readSettings(
  hashers: Hashers,
  { title, parts, period, from, to, expiresAt, password }: SharedReportChange,
  now: number,
): Promise<{ ok: true; changes: Changes } | Refusal> {
  const end = toTime(expiresAt);
  if (typeof end === 'number' && end <= now) return { ok: false, reason: 'shared_ends_in_past' };
  const hash = typeof password === 'string' ? await hashPassword(hashers, password) : password;
  if (typeof password === 'string' && hash === null) return { ok: false, reason: 'passwords_busy' };
  return {
    ok: true,
    changes: {
      ...(title !== undefined && { title }),
      ...(parts !== undefined && { parts: [...new Set<SharedPart>(parts)] }),
      ...(period !== undefined && { period, first_day: toDay(from), last_day: toDay(to) }),
      ...(end !== undefined && { expires_at: end }),
      ...(hash !== undefined && { password_hash: hash }),
    },
  };
}

const toTime = (text: string | null | undefined) =>
  typeof text === 'string' ? Date.parse(text) : text;
const toDay = (date: string | undefined): number | null =>
  date === undefined ? null : dayNumber(Date.parse(date));

const toDate = (day: number | null): string | null => (day === null ? null : utcDate(day * DAY_MS));

/** A report as its owner sees it, also in the export of the account. */
export function toSharedReport({ report, link, tag }: SharedRowOfMember): SharedReport {
  return {
    id: report.id,
    subject:
      report.tag_id === null
        ? { kind: 'link', code: link?.code ?? '' }
        : { kind: 'tag', id: report.tag_id, name: tag?.name ?? '' },
    title: report.title,
    parts: report.parts,
    period: report.period,
    from: toDate(report.first_day),
    to: toDate(report.last_day),
    expiresAt: report.expires_at === null ? null : new Date(report.expires_at).toISOString(),
    hasPassword: report.password_hash !== null,
    createdAt: new Date(report.created_at).toISOString(),
    available: link?.status === 'active' || tag !== null,
  };
}
