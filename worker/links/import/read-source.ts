import { readBodyText, type BodyText } from '#worker/http/read-body.ts';
import { parseJson } from '#worker/http/parse-json.ts';
import type { ImportSourceRequest } from '#contract/files/import.ts';
import { IMPORT_SOURCES, pageUrl, type SourcePage } from '#contract/files/import-sources.ts';
import { SITE_NAME } from '#contract/site.ts';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import type { PolicyReason } from '#worker/messages/links.ts';
import { checkHost } from '#worker/safety/check-host.ts';
import { findOwnDomain, type OwnDomains } from '#worker/safety/own-domain.ts';
import { checkTarget, type TargetPolicy } from '#worker/safety/target.ts';

const TIME_LIMIT_MS = 15_000;
/** A page of 100 links has about 100 KB. */
const READ_MAX_BYTES = 2 * 1024 * 1024;

export type SourceReason =
  | 'source_not_https'
  | 'source_own_host'
  | 'source_private_host'
  | 'source_unknown_host'
  | 'source_unreachable'
  | 'source_too_large'
  | 'source_redirects'
  | 'source_key_refused'
  | 'source_status'
  | 'source_no_links';
type Refusal =
  | { ok: false; reason: 'source_bad_address'; target: PolicyReason }
  | { ok: false; reason: SourceReason; amount?: number };

const refuse = (reason: SourceReason, amount = 0): Refusal => ({ ok: false, reason, amount });

/**
 * Reads one page of links from another service, under the rules of webhooks: a public host that is
 * not ours, over https, without redirects, so that the key goes nowhere else.
 */
export async function readSourcePage(
  { source, address, key, cursor }: ImportSourceRequest,
  { policy, own, fetcher }: { policy: TargetPolicy; own: OwnDomains; fetcher: FetchFunction },
): Promise<{ ok: true; page: SourcePage } | Refusal> {
  // A server of links is a shortener itself.
  const check = checkTarget(address, { ...policy, shorteners: new Set() });
  if (!check.ok) return { ok: false, reason: 'source_bad_address', target: check.reason };
  const server = new URL(check.target.href);
  if (server.protocol !== 'https:') return refuse('source_not_https');
  if (findOwnDomain(server.hostname, own) !== null) return refuse('source_own_host');
  const host = await checkHost(server.hostname, fetcher);
  if (host !== 'public')
    return refuse(host === 'private' ? 'source_private_host' : 'source_unknown_host');
  let body: BodyText;
  try {
    const response = await fetcher(pageUrl(source, server, cursor), {
      redirect: 'manual',
      headers: {
        Accept: 'application/json',
        'User-Agent': `${SITE_NAME}-Import/1`,
        [IMPORT_SOURCES[source].header]: key,
      },
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    });
    const { status } = response;
    if (status !== 200) await response.body?.cancel();
    if (status === 401 || status === 403) return refuse('source_key_refused');
    if (status >= 300 && status < 400) return refuse('source_redirects');
    if (status !== 200) return refuse('source_status', status);
    body = await readBodyText(response.body, READ_MAX_BYTES, TIME_LIMIT_MS);
  } catch {
    return refuse('source_unreachable');
  }
  if (!body.ok)
    return refuse(body.reason === 'too_large' ? 'source_too_large' : 'source_unreachable');
  const page = IMPORT_SOURCES[source].read(parseJson(body.text), cursor);
  return page === null ? refuse('source_no_links') : { ok: true, page };
}
