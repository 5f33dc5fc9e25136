import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { loginCommand } from './account.ts';
import { createClient, RequestFailed } from './client.ts';
import { readCliSettings, writeSettings } from './settings.ts';

vi.mock('node:stream/consumers', () => ({ text: async () => 'hop_live_mistyped\n' }));
afterEach(() => vi.unstubAllGlobals());

it('a login with a rejected key keeps the stored key', async () => {
  const env = { XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), 'hop-')) };
  const origin = 'https://hop.example';
  writeSettings(env, { origin, key: 'hop_live_stored' });
  const problem = { code: 'unauthenticated', title: 'Key', detail: 'Unknown key.', status: 401 };
  vi.stubGlobal('fetch', async () => Response.json(problem, { status: 401 }));
  const login = loginCommand.run({
    args: [],
    text: () => origin,
    has: () => false,
    env,
    client: () => createClient(origin, ''),
    print: () => undefined,
  });
  await expect(login).rejects.toThrow(RequestFailed);
  expect(readCliSettings(env)?.key).toBe('hop_live_stored');
});
