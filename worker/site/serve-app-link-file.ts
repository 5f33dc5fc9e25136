import { APP_LINK_TYPE, type AppLinkFile } from '#contract/pages/app-links.ts';
import type { DomainId } from '#contract/codes/domain-key.ts';
import { HOUR_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { readAppLinkFile } from '#worker/http/app-link-file.ts';
import { appLinkKey } from '#worker/http/cache-keys.ts';
import { CACHE_SECONDS, readPublic, type Reader } from '#worker/http/edge-cache.ts';
import type { Origins } from '#worker/http/origins.ts';
import { plainResponse, textFile } from './plain-response.ts';

const HOUR_SECONDS = HOUR_MS / 1000;

/** Serves a file of a domain as stored, without a redirect, because phones follow none. */
export async function serveAppLinkFile(
  reader: Reader,
  origins: Origins,
  domain: DomainId,
  file: AppLinkFile,
): Promise<Response> {
  const { request, env } = reader;
  // A missing file is cached as an empty one: phones ask whenever an app is installed.
  const key = appLinkKey(origins, domain, file);
  const read = await readPublic(reader, key, CACHE_SECONDS, async () => {
    const stored = await readAppLinkFile(openDb(env.DB), domain, file);
    return stored?.content ?? '';
  });
  if (!read.ok) return plainResponse(request, 'limited');
  if (read.value === null || read.value === '') return plainResponse(request, 'not_found');
  const response = textFile(request, APP_LINK_TYPE, read.value, HOUR_SECONDS);
  // JSON has no charset parameter (RFC 8259 §11), and the documentation of both asks for this type.
  response.headers.set('Content-Type', APP_LINK_TYPE);
  return response;
}
