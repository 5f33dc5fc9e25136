import {
  IMPORT_SOURCES,
  pageUrl,
  type SourceName,
  type SourcePage,
} from '#contract/files/import-sources.ts';
import { RequestFailed } from './client.ts';
import { UsageError } from './command.ts';
import { showProgress } from './progress.ts';
import { originOf } from './server-origin.ts';

const TIME_LIMIT_MS = 30_000;

/**
 * Reads all links of a server of Shlink or Kutt, page by page, as a file of that service. The
 * request comes from this machine, so the server may be in a private network.
 */
export async function readServer(
  source: SourceName,
  address: string,
  key: string,
): Promise<string> {
  if (originOf(address) === null)
    throw new UsageError('--address must be an address that starts with https://.');
  if (key === '') throw new UsageError('Put the API key of that server into HOP_SOURCE_KEY.');
  const { label, header, read } = IMPORT_SOURCES[source];
  const server = new URL(address.includes('://') ? address : `https://${address}`);
  const links: unknown[] = [];
  let next: number | null = 0;
  try {
    while (next !== null) {
      const page: SourcePage | null = read(
        await fetchPage(pageUrl(source, server, next), header, key),
        next,
      );
      if (page === null) throw new RequestFailed(`${address} does not answer like ${label}.`, null);
      links.push(...page.links);
      showProgress('links read', page.total).show(links.length);
      ({ next } = page);
    }
  } finally {
    showProgress('links read').clear();
  }
  return JSON.stringify({ data: links, total: links.length });
}

async function fetchPage(url: string, header: string, key: string): Promise<unknown> {
  const request = new Request(url, {
    redirect: 'manual',
    headers: { Accept: 'application/json', [header]: key },
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
  });
  let response: Response;
  try {
    response = await fetch(request);
  } catch {
    throw new RequestFailed(`${url} could not be reached.`, null);
  }
  if (response.status === 401 || response.status === 403)
    throw new RequestFailed('The server does not accept the key in HOP_SOURCE_KEY.', null);
  if (!response.ok)
    throw new RequestFailed(`${url} answered with status ${response.status}.`, null);
  return response.json().catch(() => null);
}
