import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { runBatch } from '#worker/db/batch.ts';
import { openDb } from '#worker/db/client.ts';
import { links } from '#worker/db/schema-links.ts';
import { encodeEdgeRecord } from '#worker/redirect/edge-record.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { supersedeRecord } from './supersede-record.ts';

const db = openDb(env.DB);
const NOW = 1_800_000_000_000;
const target = 'https://example.com/x';

/** A row at version 3 and an active edge record at `recordVersion`. Returns the row's id. */
async function makeLink(code: string, recordVersion: number): Promise<number> {
  const row = {
    code,
    target,
    target_host: 'example.com',
    version: 3,
    created_at: 1,
    updated_at: 1,
  };
  const [made] = await db.insert(links).values(row).returning({ id: links.id });
  await env.LINKS.put(
    code,
    encodeEdgeRecord({ v: recordVersion, i: made?.id ?? 0, s: 'a', u: target, e: 0 }),
  );
  return made?.id ?? 0;
}
const rowOf = (id: number) =>
  env.DB.prepare(
    'SELECT l.version, l.updated_at, o.version AS queued, o.queued_at, o.attempts FROM links l LEFT JOIN link_outbox o ON o.link_id = l.id WHERE l.id = ?1',
  )
    .bind(id)
    .first();

describe('supersedeRecord', () => {
  it('[A11] raises a row above a newer edge record and adds it to the outbox', async () => {
    const id = await makeLink('restored', 7);
    await env.DB.prepare(
      'INSERT INTO link_outbox (link_id, version, queued_at, attempts) VALUES (?1, 2, 1, 5)',
    )
      .bind(id)
      .run();
    const found = await supersedeRecord(db, env, 'restored', NOW);
    expect(found?.id).toBe(id);
    await runBatch(db, found?.statements ?? []);
    expect(await rowOf(id)).toEqual({
      version: 8,
      updated_at: NOW,
      queued: 8,
      queued_at: NOW,
      attempts: 0,
    });
  });

  it('returns null for a row as new as the record, and for a code without a row', async () => {
    await makeLink('same', 3);
    await makeLink('newer', 2);
    for (const code of ['same', 'newer', 'no-such'])
      expect(await supersedeRecord(db, env, code, NOW), code).toBeNull();
  });

  it('returns null while KV does not answer', async () => {
    await makeLink('kv-down', 7);
    const LINKS = withMethods(env.LINKS, {
      get: () => Promise.reject(new Error('KV GET failed: 500')),
    });
    expect(await supersedeRecord(db, { LINKS, LINKS_EPOCH: '' }, 'kv-down', NOW)).toBeNull();
  });

  it('changes nothing if the row has become newer before the batch', async () => {
    const id = await makeLink('overtaken', 7);
    const found = await supersedeRecord(db, env, 'overtaken', NOW);
    await env.DB.prepare('UPDATE links SET version = 9 WHERE id = ?1').bind(id).run();
    await runBatch(db, found?.statements ?? []);
    expect(await rowOf(id)).toMatchObject({ version: 9, updated_at: 1, queued: null });
  });
});
