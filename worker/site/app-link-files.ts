import { and, eq } from 'drizzle-orm';
import type { AppLinkFile } from '#contract/app-links.ts';
import { DEFAULT_HOST } from '#contract/link-key.ts';
import { HOUR_MS } from '#contract/time.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { app_link_files } from '#worker/db/schema-system.ts';
import { appLinkKey } from '#worker/http/cache-keys.ts';
import { CACHE_SECONDS, readPublic, type Reader } from '#worker/http/edge-cache.ts';
import type { Origins } from '#worker/http/origins.ts';
import { plainResponse, textFile } from './plain-response.ts';

const HOUR_SECONDS = HOUR_MS / 1000;

export type StoredAppLinkFile = { content: string; changed_at: number };

/** The file of the deployment's own short host; null if there is none. */
export async function readAppLinkFile(
  db: Db,
  file: AppLinkFile,
): Promise<StoredAppLinkFile | null> {
  const row = await db
    .select({ content: app_link_files.content, changed_at: app_link_files.changed_at })
    .from(app_link_files)
    .where(and(eq(app_link_files.host, DEFAULT_HOST), eq(app_link_files.file, file)))
    .get();
  return row ?? null;
}

/** Serves a file as stored, without a redirect, because phones follow none. */
export async function serveAppLinkFile(
  reader: Reader,
  env: Env,
  origins: Origins,
  file: AppLinkFile,
): Promise<Response> {
  // A missing file is cached as an empty one: phones ask whenever an app is installed.
  const read = await readPublic(reader, appLinkKey(origins, file), CACHE_SECONDS, async () => {
    const stored = await readAppLinkFile(openDb(env.DB), file);
    return stored?.content ?? '';
  });
  return read.ok
    ? appLinkResponse(reader.request, read.value ?? '')
    : plainResponse(reader.request, 'limited');
}

/** The response with a file, or 404 for an empty one. */
export function appLinkResponse(request: Request, content: string): Response {
  if (content === '') return plainResponse(request, 'not_found');
  const response = textFile(request, 'application/json', content, HOUR_SECONDS);
  // JSON has no charset parameter (RFC 8259 §11), and the documentation of both asks for this type.
  response.headers.set('Content-Type', 'application/json');
  return response;
}
