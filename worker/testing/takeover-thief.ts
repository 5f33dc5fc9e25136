import { env } from 'cloudflare:test';
import { expect } from 'vitest';
import { call } from './call.ts';
import { park, type Parked } from './park.ts';

/**
 * `parked` are requests of a session. `byKey` are requests of an API key, which still works after a
 * restore.
 */
type Held = { tokens: string[]; keys: string[]; parked: Parked[]; byKey: Parked[] };

const KEY = { name: 'Backup', scopes: ['links:read', 'links:write'] };
const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });

/**
 * A thief who has a session of the owner and tries to keep access, with an API key and with
 * requests whose bodies are delayed. After `lose`, which means that the owner has recovered the
 * account, nothing that the thief holds may work.
 */
export function makeThief(serial: string, overrides: Partial<Env>) {
  const held: Held = { tokens: [], keys: [], parked: [], byKey: [] };
  const ended: Held = { tokens: [], keys: [], parked: [], byKey: [] };
  /**
   * True if a webhook may exist: one was created, and the owner has not recovered the account
   * since.
   */
  let mayHaveHook = false;
  const webhook = { url: `https://thief.example/${serial}`, events: ['link.created'] };

  const statusOf = async (path: string, secret: string): Promise<number> => {
    const response = await call(path, { headers: bearer(secret) }, overrides);
    await response.body?.cancel();
    return response.status;
  };
  const keepKey = async (answer: Promise<Response>): Promise<void> => {
    const response = await answer;
    const body: { key?: string } = await response.json();
    if (response.ok && body.key !== undefined) held.keys.push(body.key);
  };

  return {
    copy(token: string | undefined): void {
      if (token !== undefined) held.tokens.push(token);
    },
    token: () => held.tokens.at(-1),
    async makeKey(): Promise<void> {
      const token = held.tokens.at(-1);
      if (token !== undefined)
        await keepKey(call('/api/keys', { json: KEY, headers: bearer(token) }, overrides));
    },
    /** Sends the heads of requests with the session and with a key. */
    async park(): Promise<void> {
      const [token, key] = [held.tokens.at(-1), held.keys.at(-1)];
      const hold = (path: string, json: unknown, secret: string | undefined) =>
        secret === undefined
          ? []
          : [park({ method: 'POST', path, json, headers: bearer(secret) }, overrides)];
      const parked = [...hold('/api/keys', KEY, token), ...hold('/api/webhooks', webhook, token)];
      const byKey = hold('/api/v1/links', { url: 'https://example.com/' }, key);
      await Promise.all([...parked, ...byKey].map(({ waiting }) => waiting));
      held.parked.push(...parked);
      held.byKey.push(...byKey);
    },
    async finish(): Promise<void> {
      mayHaveHook ||= held.parked.length > 0;
      const live = [...held.parked.splice(0), ...held.byKey.splice(0)];
      const late = [...ended.parked.splice(0), ...ended.byKey.splice(0)];
      for (const { finish } of [...live, ...late]) finish();
      for (const { response } of live) await keepKey(response);
      for (const { response } of late) {
        const { status, body } = await response;
        await body?.cancel();
        expect([401, 403], 'a parked request whose right has ended').toContain(status);
      }
    },
    /** The owner has recovered the account. */
    lose(): void {
      this.loseSessions();
      ended.keys.push(...held.keys.splice(0));
      ended.byKey.push(...held.byKey.splice(0));
      mayHaveHook = false;
    },
    /** A restore ends every session. */
    loseSessions(): void {
      ended.tokens.push(...held.tokens.splice(0));
      ended.parked.push(...held.parked.splice(0));
    },
    async check(): Promise<void> {
      for (const token of ended.tokens)
        expect(await statusOf('/api/me', token), 'a stolen session').toBe(401);
      for (const key of ended.keys)
        expect(await statusOf('/api/v1/me', key), 'a key of the thief').toBe(401);
      if (mayHaveHook) return;
      const hooks = await env.DB.prepare('SELECT 1 FROM webhook_endpoints WHERE url = ?1')
        .bind(webhook.url)
        .all();
      expect(hooks.results, 'a webhook of the thief').toEqual([]);
    },
  };
}
