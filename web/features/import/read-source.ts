import type { ImportSourceRequest } from '#contract/files/import.ts';
import type { SourcePage } from '#contract/files/import-sources.ts';
import { formatNumber, plural } from '#contract/language.ts';
import { IMPORT_FILE_MAX } from '#contract/limits.ts';
import { api } from '#web/shared/api/api.ts';
import { ImportError } from './formats/import-row.ts';
import { withRetries } from './send-rows.ts';

export type SourceProgress = { read: number; total: number };

/**
 * Reads all links of another service through our server, page by page, because browsers cannot call
 * its API. Returns them as a file of that service.
 */
export async function readSource(
  source: Omit<ImportSourceRequest, 'cursor'>,
  onProgress: (progress: SourceProgress) => void,
  signal: AbortSignal,
): Promise<string> {
  const links: unknown[] = [];
  let next: number | null = 0;
  let total = 0;
  while (next !== null) {
    const body: ImportSourceRequest = { ...source, cursor: next };
    const page: SourcePage = await withRetries(
      () => api<SourcePage>('/api/links/import/source', { method: 'POST', body, signal }),
      signal,
    );
    ({ total, next } = page);
    if (total > IMPORT_FILE_MAX)
      throw new ImportError(
        `There are ${plural(total, 'link')} on this server. This page imports up to ${formatNumber(IMPORT_FILE_MAX)}; the command line imports more.`,
      );
    links.push(...page.links);
    onProgress({ read: links.length, total });
  }
  if (links.length === 0) throw new ImportError('There are no links on this server.');
  return JSON.stringify({ data: links, total });
}
