import { afterEach, describe, expect, it, vi } from 'vitest';
import { lacksScope, readConnection, removeConnection, storeConnection } from './connection.ts';

describe('the stored connection', () => {
  afterEach(() => void vi.unstubAllGlobals());
  const connection = { origin: 'https://hop.example', key: 'k', keyName: 'A', canTag: true };

  it('stays on this device until it is removed, and a damaged one is like none', async () => {
    let items: Record<string, unknown> = {};
    const local = {
      get: async (name: string) => ({ [name]: items[name] }),
      set: async (added: object) => void (items = { ...items, ...added }),
      remove: async (name: string) => void delete items[name],
    };
    vi.stubGlobal('chrome', { storage: { local } });
    expect(await readConnection()).toBeNull();
    await storeConnection(connection);
    expect(await readConnection()).toEqual(connection);
    await removeConnection();
    expect(await readConnection()).toBeNull();
    const { origin, key } = connection;
    for (const damaged of ['a', {}, { origin }, { key }, { origin, key: 7 }]) {
      items = { connection: damaged };
      expect(await readConnection()).toBeNull();
    }
  });
});

describe('lacksScope', () => {
  it('a key that reads links, and writes or creates them, is enough', () => {
    expect(lacksScope(['links:read', 'links:write'])).toBeNull();
    expect(lacksScope(['links:read', 'links:create'])).toBeNull();
  });

  it('names the scopes that a key needs', () => {
    const sentence = 'Create one with the scopes “Read links” and “Write links”.';
    expect(lacksScope(['links:create'])).toContain(sentence);
    expect(lacksScope(['links:read', 'analytics:read'])).toContain(sentence);
  });
});
