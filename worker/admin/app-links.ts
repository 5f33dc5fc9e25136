import { sql } from 'drizzle-orm';
import {
  APP_LINK_FILES,
  APP_LINK_PATHS,
  APP_LINK_TYPE,
  namedApps,
  type AppLinkFile,
  type AppLinksChange,
  type AppLinksResponse,
  type ServedAppLinkFile,
} from '#contract/app-links.ts';
import { DEFAULT_DOMAIN } from '#contract/domain-key.ts';
import { recordAction } from '#worker/audit/record-action.ts';
import { runBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { app_link_files } from '#worker/db/schema-system.ts';
import { readAppLinkFile } from '#worker/http/app-link-file.ts';
import type { Origins } from '#worker/http/origins.ts';

/** GET /api/admin/app-links: the files, and what a phone receives once caches have expired. */
export async function readAppLinks(db: Db, { app, short }: Origins): Promise<AppLinksResponse> {
  const files = await Promise.all(APP_LINK_FILES.map((file) => describeFile(db, short, file)));
  return { own_pages: app === short, files };
}

async function describeFile(
  db: Db,
  shortOrigin: string,
  file: AppLinkFile,
): Promise<ServedAppLinkFile> {
  const stored = await readAppLinkFile(db, file);
  const content = stored?.content ?? '';
  return {
    file,
    url: shortOrigin + APP_LINK_PATHS[file],
    content,
    changed_at: stored === null ? null : new Date(stored.changed_at).toISOString(),
    apps: namedApps(file, content),
    status: content === '' ? 404 : 200,
    type: APP_LINK_TYPE,
    bytes: new TextEncoder().encode(content).length,
  };
}

/**
 * Stores a file, or removes it if its content is empty. The audit entry, which names the apps
 * before and after, is in the same batch.
 */
export async function changeAppLinks(
  db: Db,
  adminId: string,
  { file, content }: AppLinksChange,
  now: number,
): Promise<void> {
  const before = (await readAppLinkFile(db, file))?.content ?? '';
  if (before === content) return;
  await runBatch(db, [
    recordAction(db, {
      at: now,
      adminId,
      action: 'change_app_links',
      subject: `app-links:${file}`,
      before: factsOf(file, before),
      after: factsOf(file, content),
    }),
    content === ''
      ? sql`delete from ${app_link_files} where host = ${DEFAULT_DOMAIN} and file = ${file}`
      : sql`insert into ${app_link_files} (host, file, content, changed_at)
          values (${DEFAULT_DOMAIN}, ${file}, ${content}, ${now})
          on conflict (host, file) do update set
            content = excluded.content, changed_at = excluded.changed_at`,
  ]);
}

/** Null without a file. */
const factsOf = (file: AppLinkFile, content: string): { apps: string[] } | null =>
  content === '' ? null : { apps: namedApps(file, content) };
