import type * as z from 'zod/mini';
import { DEFAULT_DOMAIN, linkKey, splitKey, type DomainId } from '#contract/codes/domain-key.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import type { importedState, importRow } from '#contract/files/import.ts';
import type { RequestContext } from '#worker/http/context.ts';
import type { ShortOrigins } from '#worker/http/origins.ts';
import { findUsableDomains } from '#worker/domains/usable-domain.ts';
import { NO_SETTINGS } from '#worker/db/link-settings.ts';
import { readLinkSettings } from '#worker/links/settings/link-settings.ts';
import { parseLinkDraft } from '#worker/links/write/link-draft.ts';
import { targetPolicy } from '#worker/safety/target-policy.ts';
import type { RowToImport, StateInFile } from './import-links.ts';

/** Earlier dates come from clocks that were never set. */
const OLDEST = Date.UTC(1990, 0, 1);

/** The domains of an import by their hosts. */
export type ImportDomains = ReadonlyMap<string, DomainId>;

/**
 * Finds the domains on which the member can have the links of these rows. Rows on other hosts get
 * links on the deployment's own short host.
 */
export async function findImportDomains(
  { db, origins }: Pick<RequestContext, 'db' | 'origins'>,
  userId: string,
  rows: readonly { domain?: string | undefined }[],
): Promise<ImportDomains> {
  const known = new Set(origins.domains.values());
  const hosts = new Set(rows.map(({ domain = '' }) => domain.toLowerCase()));
  const found = await findUsableDomains(
    db,
    userId,
    [...hosts].filter((host) => known.has(host)),
  );
  return new Map(
    [...found].flatMap(([host, domain]) => (domain.ok ? [[host, domain.id] as const] : [])),
  );
}

/** Applies the link policy to the rows of a request. */
export function parseRows(
  context: RequestContext,
  rows: readonly z.output<typeof importRow>[],
  domains: ImportDomains,
): RowToImport[] {
  const { now, origins } = context;
  const policy = targetPolicy(context);
  return rows.map(
    ({
      line,
      url,
      domain: host = '',
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
      const domain = domains.get(host.toLowerCase()) ?? DEFAULT_DOMAIN;
      const input = {
        ...readLinkSettings(given),
        target: url,
        domain,
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
        code: code === '' ? null : linkKey(domain, splitKey(code).code),
        sourceId: sourceId ?? null,
        nth,
        earlierCodes: earlierCodes.map((key) => placeEarlierKey(key, domain, origins)),
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

/**
 * An earlier code stays on its domain. If this deployment does not know that domain, the code gets
 * the domain of its link.
 */
function placeEarlierKey(key: string, domain: DomainId, { domains }: ShortOrigins): LinkKey {
  const earlier = splitKey(key);
  const isKnown = earlier.domain === DEFAULT_DOMAIN || domains.has(earlier.domain);
  return isKnown ? key : linkKey(domain, earlier.code);
}

const toState = ({
  until,
  url: target,
  code,
  status,
  tags = [],
  ...given
}: z.output<typeof importedState>): StateInFile => ({
  ...NO_SETTINGS,
  ...readLinkSettings(given),
  at: Date.parse(until),
  target,
  code,
  status,
  tags,
});
