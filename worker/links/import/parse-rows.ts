import type * as z from 'zod/mini';
import type { importedState, importRow } from '#contract/import.ts';
import { PASSWORDS_PER_REQUEST } from '#contract/limits.ts';
import { previewKey } from '#worker/http/cache-keys.ts';
import type { RequestContext } from '#worker/http/context.ts';
import { evict } from '#worker/http/edge-cache.ts';
import { NO_SETTINGS } from '#worker/db/link-settings.ts';
import { cryptoRandom } from '#worker/edge/codes.ts';
import { publishLater } from '#worker/events/publish-later.ts';
import type { Hashers } from '#worker/auth/password/hasher-pool.ts';
import {
  hashNewPasswords,
  linesOverLimit,
  PASSWORDS_BUSY,
} from '#worker/links/settings/hash-password.ts';
import { readLinkSettings } from '#worker/links/settings/link-settings.ts';
import { parseLinkDraft } from '#worker/links/write/link-draft.ts';
import { reputationOf, targetPolicy } from '#worker/links/write/write-links.ts';
import {
  importLinks,
  type FormerState,
  type ImportOptions,
  type RowToImport,
} from './import-links.ts';

/** Earlier dates come from clocks that were never set. */
const OLDEST = Date.UTC(1990, 0, 1);

/** Applies the link policy to the rows of a request. */
export function parseRows(
  context: RequestContext,
  rows: readonly z.output<typeof importRow>[],
): RowToImport[] {
  const { now } = context;
  const policy = targetPolicy(context);
  return rows.map(
    ({
      line,
      url,
      code = '',
      externalId,
      tags,
      createdAt,
      expiresAt,
      clicks,
      sourceId,
      nth,
      disabled,
      earlierCodes = [],
      history = [],
      ...given
    }) => {
      const input = {
        ...readLinkSettings(given),
        target: url,
        tags,
        externalId: externalId || null,
      };
      const parsed = parseLinkDraft(input, { isMember: true, policy, now });
      // An expired link keeps its end, so it responds as before and nobody else can take its code.
      const end = expiresAt === undefined ? null : Math.max(Date.parse(expiresAt), OLDEST);
      const created = createdAt === undefined ? Number.NaN : Date.parse(createdAt);
      return {
        ...(parsed.ok ? { ok: true, draft: { ...parsed.draft, expiresAt: end } } : parsed),
        line,
        code: code === '' ? null : code,
        sourceId: sourceId ?? null,
        nth,
        earlierCodes,
        facts: {
          createdAt: created >= OLDEST ? created : null,
          clicks: clicks ?? null,
          disabled: disabled ?? false,
          // A change before the import cannot be newer than it.
          history: history.map(toState).filter(({ at }) => at >= OLDEST && at < now),
        },
      };
    },
  );
}

const toState = ({
  until,
  url: target,
  code,
  status,
  tags = [],
  ...given
}: z.output<typeof importedState>): FormerState => ({
  ...NO_SETTINGS,
  ...readLinkSettings(given),
  at: Date.parse(until),
  target,
  code,
  status,
  tags,
});

const TOO_MANY_PASSWORDS = { ok: false, reason: 'too_many_passwords' } as const;

/** Rejects rows whose password is one too many, and hashes the others'. Null if that is busy. */
async function withPasswords(
  hashers: Hashers,
  rows: readonly RowToImport[],
): Promise<RowToImport[] | null> {
  const tooMany = linesOverLimit(rows, PASSWORDS_PER_REQUEST);
  const kept = rows.map((row) => (tooMany.has(row) ? { ...row, ...TOO_MANY_PASSWORDS } : row));
  return (await hashNewPasswords(hashers, kept)) ? kept : null;
}

/** Imports rows, and publishes their links. */
export async function createImported(
  context: RequestContext,
  rows: readonly RowToImport[],
  options: Pick<ImportOptions, 'userId' | 'source' | 'importId' | 'collisions'>,
): Promise<(Awaited<ReturnType<typeof importLinks>> & { ok: true }) | typeof PASSWORDS_BUSY> {
  const { db, env, origins, now, waitUntil } = context;
  const hashed = await withPasswords(env.PASSWORD_HASHERS, rows);
  if (hashed === null) return PASSWORDS_BUSY;
  const shared = { reputation: reputationOf(context), now, random: cryptoRandom };
  const imported = await importLinks(db, hashed, { ...shared, ...options });
  const result = { ok: true as const, ...imported };
  if (result.ids.length === 0) return result;
  waitUntil(publishLater(env, result.ids, now));
  await evict(result.reused.map((code) => previewKey(origins, code)));
  return result;
}
