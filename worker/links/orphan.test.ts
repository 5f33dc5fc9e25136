import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { runBatch } from '#worker/db/batch.ts';
import { openDb } from '#worker/db/client.ts';
import { encodeEdgeRecord, type EdgeRecord } from '#worker/redirect/edge-record.ts';
import { adoptOrphan, readOrphan } from './orphan.ts';

const db = openDb(env.DB);
const NOW = 1_800_000_000_000;
const record = (over: Partial<EdgeRecord> = {}): EdgeRecord => ({
  v: 4,
  i: 9,
  s: 'a',
  u: 'https://sub.example.com./x',
  e: 0,
  ...over,
});
const put = (code: string, link: EdgeRecord) => env.LINKS.put(code, encodeEdgeRecord(link));
const rows = async (code: string) => (await env.DB.prepare('SELECT * FROM links WHERE code = ?').bind(code).all()).results;
const outbox = (id: number) => env.DB.prepare('SELECT version FROM link_outbox WHERE link_id = ?').bind(id).first('version');

test('only an active edge record is an orphan, and only under a code', async () => {
  await put('active', record());
  await put('off', record({ s: 'd', u: '', r: 'Off.' }));
  await put('deleted', record({ s: 'x', u: '' }));
  await put('link:go.example:abc', record());
  expect(await readOrphan(env, 'active')).toEqual(record());
  for (const code of ['off', 'deleted', 'nobody', 'link:go.example:abc', 'visitor-key:1', ''])
    expect(await readOrphan(env, code), code).toBeNull();
  expect(await readOrphan({ ...env, LINKS_EPOCH: 'next' }, 'active')).toBeNull();
});

test('an orphan gets a row with a new id, a higher version and its end, and is noted for publishing', async () => {
  const [made] = await runBatch(db, adoptOrphan('taken-in', record({ e: NOW + 5 }), { status: 'active' }, NOW));
  const id = Number(made?.[0]?.['id']);
  expect(await rows('taken-in')).toEqual([
    expect.objectContaining({
      id,
      version: 5,
      status: 'active',
      disabled_by: null,
      target: 'https://sub.example.com./x',
      target_host: 'sub.example.com',
      expires_at: NOW + 5,
      user_id: null,
    }),
  ]);
  expect(await outbox(id)).toBe(5);
});

test('a code that has a row, even a deleted one, keeps it', async () => {
  await env.DB.prepare(
    "INSERT INTO links (code, target, target_host, status, created_at, updated_at) VALUES ('has-row', 'https://e.com/', 'e.com', 'deleted', 1, 1)",
  ).run();
  const before = await rows('has-row');
  const [made] = await runBatch(db, adoptOrphan('has-row', record(), { status: 'disabled', reason: 'No.' }, NOW));
  expect(made).toEqual([]);
  expect(await rows('has-row')).toEqual(before);
  expect(await outbox(Number(before[0]?.['id']))).toBeNull();
});
