import { and, eq } from 'drizzle-orm';
import type { AppLinkFile } from '#contract/pages/app-links.ts';
import type { DomainId } from '#contract/codes/domain-key.ts';
import type { Db } from '#worker/db/client.ts';
import { app_link_files } from '#worker/db/schema-system.ts';

type StoredAppLinkFile = { content: string; changed_at: number };

/** The file of a domain; null if there is none. */
export async function readAppLinkFile(
  db: Db,
  domain: DomainId,
  file: AppLinkFile,
): Promise<StoredAppLinkFile | null> {
  const row = await db
    .select({ content: app_link_files.content, changed_at: app_link_files.changed_at })
    .from(app_link_files)
    .where(and(eq(app_link_files.host, domain), eq(app_link_files.file, file)))
    .get();
  return row ?? null;
}
