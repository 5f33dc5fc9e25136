import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
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
const rows = async (code: string) =>
  (await env.DB.prepare('SELECT * FROM links WHERE code = ?').bind(code).all()).results;
const outbox = (id: number) =>
  env.DB.prepare('SELECT version FROM link_outbox WHERE link_id = ?').bind(id).first('version');

describe('readOrphan', () => {
  it('[A11] returns an active edge record, and only under a valid code', async () => {
    await put('active', record());
    await put('off', record({ s: 'd', u: '', r: 'Off.' }));
    await put('deleted', record({ s: 'x', u: '' }));
    await put('go.example/abc', record());
    expect(await readOrphan(env, 'active')).toEqual(record());
    for (const code of ['off', 'deleted', 'nobody', 'go.example/abc', 'visitor-key:1', ''])
      expect(await readOrphan(env, code), code).toBeNull();
    expect(await readOrphan({ ...env, LINKS_EPOCH: 'next' }, 'active')).toBeNull();
  });
});

describe('adoptOrphan', () => {
  it('[A11] inserts a row with a new id, a higher version and the end, and an outbox row', async () => {
    const [made] = await runBatch(
      db,
      adoptOrphan('adopted', record({ e: NOW + 5 }), { status: 'active' }, NOW),
    );
    const id = Number(made?.[0]?.['id']);
    expect(await rows('adopted')).toEqual([
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

  it('keeps what the record says besides the destination, and lists all destinations', async () => {
    const g = { n: 5, t: [{ if: { country: ['BR'] }, to: 'https://br.test/' }] };
    const w = [
      { i: 'a', p: 70, u: 'https://sub.example.com./x' },
      { i: 'b', p: 30, u: 'https://b.test./y' },
    ];
    const full = record({ f: 'ref', w, g: { ...g, o: 'https://after.test/', c: 307 } });
    const [made] = await runBatch(db, adoptOrphan('adopted-full', full, { status: 'active' }, NOW));
    const id = Number(made?.[0]?.['id']);
    expect(await rows('adopted-full')).toEqual([
      expect.objectContaining({
        forward_params: 'ref',
        variants: '[{"url":"https://b.test./y","weight":30}]',
        starts_at: 5,
        rules: JSON.stringify(g.t),
        fallback_url: 'https://after.test/',
        redirect_status: 307,
      }),
    ]);
    const { results } = await env.DB.prepare(
      'SELECT host, href FROM link_destinations WHERE link_id = ? ORDER BY host',
    )
      .bind(id)
      .all();
    expect(results).toEqual([
      { host: 'after.test', href: 'https://after.test/' },
      { host: 'b.test', href: 'https://b.test./y' },
      { host: 'br.test', href: 'https://br.test/' },
    ]);
  });

  it('inserts a disabled row with the reason of the administrator', async () => {
    await runBatch(
      db,
      adoptOrphan('adopted-off', record(), { status: 'disabled', reason: 'Phishing.' }, NOW),
    );
    expect(await rows('adopted-off')).toEqual([
      expect.objectContaining({
        status: 'disabled',
        disabled_by: 'admin',
        disabled_reason: 'Phishing.',
        expires_at: null,
      }),
    ]);
  });

  it('ignores a code that has a row, even a deleted one', async () => {
    await env.DB.prepare(
      "INSERT INTO links (code, target, target_host, status, created_at, updated_at) VALUES ('has-row', 'https://e.com/', 'e.com', 'deleted', 1, 1)",
    ).run();
    const before = await rows('has-row');
    const [made] = await runBatch(
      db,
      adoptOrphan('has-row', record(), { status: 'disabled', reason: 'No.' }, NOW),
    );
    expect(made).toEqual([]);
    expect(await rows('has-row')).toEqual(before);
    expect(await outbox(Number(before[0]?.['id']))).toBeNull();
  });
});
