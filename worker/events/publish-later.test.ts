import { env } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { withMethods } from '#worker/db/with-methods.ts';
import { makeLinks } from '#worker/testing/clicks.ts';
import { publishLater } from './publish-later.ts';

const NOW = Date.UTC(2026, 10, 20, 15);

/** Storage that notes its calls in order; `fails` names the one that fails. */
function noting(fails = '') {
  const calls: string[] = [];
  const note = async (name: string): Promise<void> => {
    calls.push(name);
    if (name === fails) throw new Error(`${name} is down`);
  };
  const LINKS = withMethods(env.LINKS, { put: () => note('kv') });
  const WEBHOOKS = withMethods(env.WEBHOOKS, { sendBatch: () => note('queue') });
  return { calls, stores: { ...env, LINKS, WEBHOOKS } };
}

/** Inserts a link and an event of it that is due. */
async function insertChange(id: number): Promise<void> {
  await makeLinks([id], `owner-${id}`);
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO webhook_endpoints (id, user_id, url, description, events, salt, created_at)
       VALUES (?1, 'owner-' || ?1, 'https://a.example/', '', '', '', 0)`,
    ).bind(String(id)),
    env.DB.prepare(
      `INSERT INTO webhook_deliveries (endpoint_id, message_id, link_id, type, sequence, data, status, due_at, created_at)
       VALUES (?1, 'm', ?2, 'link.updated', 1, '{}', 'pending', ?3, ?3)`,
    ).bind(String(id), id, NOW),
  ]);
}

describe('publishLater', () => {
  it('publishes a changed link before its event is sent', async () => {
    await insertChange(1);
    const { calls, stores } = noting();
    await publishLater(stores, [1], NOW);
    expect(calls).toEqual(['kv', 'queue']);
  });

  it('publishes at most 500 links, and a job the rest', async () => {
    const ids = Array.from({ length: 501 }, (_, at) => 1_000 + at);
    await makeLinks(ids, 'owner');
    const { calls, stores } = noting();
    await publishLater(stores, ids, NOW);
    expect(calls).toEqual(Array(500).fill('kv'));
  });

  it('resolves when the queue fails, because a job repeats it', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await insertChange(2);
    const { calls, stores } = noting('queue');
    await expect(publishLater(stores, [2], NOW)).resolves.toBeUndefined();
    expect(calls).toEqual(['kv', 'queue']);
    vi.restoreAllMocks();
  });

  it('dispatches events of changed notes without publishing a link', async () => {
    await insertChange(3);
    const { calls, stores } = noting();
    await publishLater(stores, [], NOW);
    expect(calls).toEqual(['queue']);
  });
});
