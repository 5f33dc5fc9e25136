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
} from '#contract/pages/app-links.ts';
import { DEFAULT_DOMAIN, type DomainId } from '#contract/codes/domain-key.ts';
import { recordAction } from '#worker/audit/record-action.ts';
import { runBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { app_link_files } from '#worker/db/schema-system.ts';
import { readSharedDomains } from '#worker/domains/shared-domains.ts';
import { readAppLinkFile } from '#worker/http/app-link-file.ts';
import type { Origins } from '#worker/http/origins.ts';
import { originOnHost } from '#worker/http/short-url.ts';

/** A domain that can have files. Its name is '' for the deployment's own short host. */
export type AppLinkDomain = { id: DomainId; name: string };

/** The domain of this name; null if it is none of the operator's, which `shared` names. */
export async function findAppLinkDomain(
  db: Db,
  shared: ReadonlySet<string>,
  name: string,
): Promise<AppLinkDomain | null> {
  if (name === '') return { id: DEFAULT_DOMAIN, name };
  const domains = await readSharedDomains(db, shared);
  return domains.find((domain) => domain.name === name) ?? null;
}

/** The files of a domain, and what a phone receives once caches have expired. */
export async function readAppLinks(
  db: Db,
  { app, short }: Origins,
  { id, name }: AppLinkDomain,
): Promise<AppLinksResponse> {
  const origin = name === '' ? short : originOnHost(short, name);
  const files = await Promise.all(APP_LINK_FILES.map((file) => describeFile(db, origin, id, file)));
  return { ownPages: app === origin, files };
}

async function describeFile(
  db: Db,
  origin: string,
  domain: DomainId,
  file: AppLinkFile,
): Promise<ServedAppLinkFile> {
  const stored = await readAppLinkFile(db, domain, file);
  const content = stored?.content ?? '';
  return {
    file,
    url: origin + APP_LINK_PATHS[file],
    content,
    changedAt: stored === null ? null : new Date(stored.changed_at).toISOString(),
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
  { id, name }: AppLinkDomain,
  { file, content }: AppLinksChange,
  now: number,
): Promise<void> {
  const before = (await readAppLinkFile(db, id, file))?.content ?? '';
  if (before === content) return;
  await runBatch(db, [
    recordAction({
      at: now,
      adminId,
      action: 'change_app_links',
      subject: `app-links:${file}`,
      before: factsOf(name, file, before),
      after: factsOf(name, file, content),
    }),
    content === ''
      ? sql`delete from ${app_link_files} where host = ${id} and file = ${file}`
      : sql`insert into ${app_link_files} (host, file, content, changed_at)
          values (${id}, ${file}, ${content}, ${now})
          on conflict (host, file) do update set
            content = excluded.content, changed_at = excluded.changed_at`,
  ]);
}

/** Null without a file. */
const factsOf = (host: string, file: AppLinkFile, content: string): object | null =>
  content === '' ? null : { apps: namedApps(file, content), ...(host !== '' && { host }) };
