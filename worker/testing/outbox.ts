import { env } from 'cloudflare:test';
import { eq, sql } from 'drizzle-orm';
import { openDb } from '#worker/db/client.ts';
import { link_outbox, links } from '#worker/db/schema-links.ts';
import { addIdsToOutbox, addToOutbox } from '#worker/edge/outbox.ts';
import { decodeEdgeRecord } from '#worker/redirect/edge-record.ts';
import { withMethods } from '#worker/db/with-methods.ts';

const db = openDb(env.DB);
/** The creation time of the links in these tests, in ms. */
export const NOW = 1_800_000_000_000;

export async function makeLink(code: string): Promise<number> {
  const insert = db
    .insert(links)
    .values({
      code,
      target: `https://example.com/${code}`,
      target_host: 'example.com',
      created_at: NOW,
      updated_at: NOW,
    })
    .returning({ id: links.id });
  const [[row]] = await db.batch([insert, addToOutbox(db, eq(links.code, code), NOW)]);
  return row?.id ?? 0;
}

/** A KV namespace whose writes throw the error that `errorOf` returns for a key. */
export const kvThat = (errorOf: (key: string) => Error | null): KVNamespace =>
  withMethods(env.LINKS, {
    put: (key: string, value: string) => {
      const error = errorOf(key);
      return error === null ? env.LINKS.put(key, value) : Promise.reject(error);
    },
  });

/** Changes a link as the product does: with a higher version and an outbox row. */
export async function change(id: number, set: Record<string, unknown>, now: number): Promise<void> {
  await db.batch([
    db
      .update(links)
      .set({ ...set, version: sql`version + 1` })
      .where(eq(links.id, id)),
    addIdsToOutbox(db, [id], now),
  ]);
}

export const recordOf = async (code: string) => decodeEdgeRecord((await env.LINKS.get(code)) ?? '');
export const pending = (id: number) =>
  db.select().from(link_outbox).where(eq(link_outbox.link_id, id)).get();
