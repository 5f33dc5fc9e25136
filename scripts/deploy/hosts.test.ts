import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { machine, newPlatform, ORIGIN } from './testing/machine.ts';

const NEW_ORIGIN = 'https://new.example.com';

/** A deployed production, and a function that returns the hosts of its Worker. */
async function deployed(origin = ORIGIN) {
  const platform = await newPlatform();
  const owner = machine(platform);
  await owner.deploy({ vars: { APP_ORIGIN: origin } });
  platform.writes.length = 0;
  const hosts = () =>
    [...platform.account.domains]
      .filter(([, worker]) => worker === 'hop-production')
      .map(([host]) => host)
      .toSorted();
  const varsOf = (): Record<string, string> =>
    JSON.parse(readFileSync(join(owner.folder, 'production.json'), 'utf8')).vars;
  return { platform, owner, hosts, varsOf };
}

describe('the hosts of an environment', () => {
  it('a move to another address is refused until it says what becomes of the old one', async () => {
    const { platform, owner, hosts, varsOf } = await deployed();
    const move = { vars: { APP_ORIGIN: NEW_ORIGIN } };
    await expect(owner.upgrade(move)).rejects.toThrow(
      /Nothing was changed:[^]*hop\.example\.com reaches the Worker today[^]*--also-host hop\.example\.com/,
    );
    expect([platform.writes, hosts()]).toEqual([[], ['hop.example.com']]);
    await owner.upgrade({ ...move, alsoHosts: ['hop.example.com'] });
    expect(hosts()).toEqual(['hop.example.com', 'new.example.com']);
    await owner.upgrade();
    expect(hosts()).toEqual(['hop.example.com', 'new.example.com']);
    expect(varsOf()).toEqual({ APP_ORIGIN: NEW_ORIGIN, EXTRA_HOSTS: 'hop.example.com' });
  });

  it('a host that was attached by hand survives every deployment', async () => {
    const { platform, owner, hosts } = await deployed();
    platform.account.domains.set('hand.example.com', 'hop-production');
    platform.account.domains.set('shop.example.com', 'shop');
    await expect(owner.upgrade()).rejects.toThrow(/--also-host hand\.example\.com/);
    await owner.upgrade({ alsoHosts: ['hand.example.com'] });
    expect(hosts()).toEqual(['hand.example.com', 'hop.example.com']);
    expect(platform.account.domains.get('shop.example.com')).toBe('shop');
  });

  it('--detach removes one host and keeps the others', async () => {
    const { owner, hosts, varsOf } = await deployed();
    await owner.upgrade({ alsoHosts: ['a.example.com', 'b.example.com'] });
    // The version before it answers on the host until the new one has all requests.
    await owner.upgrade({ detaches: ['a.example.com'], percent: 10 });
    expect(hosts()).toContain('a.example.com');
    await owner.upgrade({ detaches: ['a.example.com'] });
    expect(hosts()).toEqual(['b.example.com', 'hop.example.com']);
    expect(varsOf()['EXTRA_HOSTS']).toBe('b.example.com');
    expect(owner.lines.join('\n')).toContain('Note: a.example.com is detached.');
    await expect(owner.upgrade({ detaches: ['hop.example.com'] })).rejects.toThrow(
      /cannot be detached, because APP_ORIGIN/,
    );
  });

  it('an installation on workers.dev moves to its own domain and keeps its links', async () => {
    const { platform, owner, hosts } = await deployed('https://hop-production.example.workers.dev');
    const worker = platform.account.workers.get('hop-production');
    const move = { vars: { APP_ORIGIN: NEW_ORIGIN } };
    const trial = 'hop-production.example.workers.dev';
    await expect(owner.upgrade(move)).rejects.toThrow(`--also-host ${trial}`);
    await owner.upgrade({ ...move, alsoHosts: [trial] });
    expect([hosts(), worker?.isOnWorkersDev]).toEqual([['new.example.com'], true]);
    await owner.upgrade({ detaches: [trial] });
    expect(worker?.isOnWorkersDev).toBe(false);
  });

  it('a move back to workers.dev detaches the last domain when it is told to', async () => {
    const { owner, hosts } = await deployed();
    await owner.upgrade({
      vars: { APP_ORIGIN: 'https://hop-production.example.workers.dev' },
      detaches: ['hop.example.com'],
    });
    expect(hosts()).toEqual([]);
  });

  it.each(['https://old.example', 'old.example/path', 'Old.example'])(
    'refuses %s as a further host',
    async (host) => {
      const { owner } = await deployed();
      await expect(owner.upgrade({ alsoHosts: [host] })).rejects.toThrow(/is not a host such as/);
    },
  );
});
