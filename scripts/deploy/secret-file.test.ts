import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { machine, newFolder, newPlatform } from './testing/machine.ts';

const secretsOf = async (platform: Awaited<ReturnType<typeof newPlatform>>) =>
  Object.fromEntries(platform.account.workers.get('hop-production')?.secrets ?? []);

describe('npm run deploy -- --secret-file', () => {
  it('keeps a new AUTH_SECRET in the file, and gives it to a new account', async () => {
    const secretFile = join(newFolder(), 'hop.secrets');
    const [first, second] = [await newPlatform(), await newPlatform()];
    const owner = machine(first);
    await owner.deploy({ secretFile });
    const { AUTH_SECRET } = await secretsOf(first);
    expect(readFileSync(secretFile, 'utf8')).toBe(`AUTH_SECRET=${AUTH_SECRET}\n`);
    expect(statSync(secretFile).mode & 0o777).toBe(0o600);
    expect(owner.lines.join('\n')).not.toContain(AUTH_SECRET);

    const shortest = 'x'.repeat(16);
    writeFileSync(
      secretFile,
      `# Hop\nAUTH_SECRET=${shortest}\nBACKUP_S3_KEY_ID="id"\nBACKUP_S3_KEY_SECRET=\n`,
    );
    await machine(second).deploy({ secretFile });
    expect(await secretsOf(second)).toEqual({ AUTH_SECRET: shortest, BACKUP_S3_KEY_ID: 'id' });
  });

  it('adds AUTH_SECRET to a file that has other secrets', async () => {
    const secretFile = join(newFolder(), 'hop.secrets');
    writeFileSync(secretFile, 'TURNSTILE_SECRET_KEY=key\nAUTH_SECRET=');
    const platform = await newPlatform();
    await machine(platform).deploy({ secretFile });
    const { AUTH_SECRET } = await secretsOf(platform);
    expect(AUTH_SECRET).toMatch(/^[\w-]{43}$/);
    expect(readFileSync(secretFile, 'utf8')).toBe(
      `TURNSTILE_SECRET_KEY=key\nAUTH_SECRET=\nAUTH_SECRET=${AUTH_SECRET}\n`,
    );
  });

  it('changes no secret of a Worker that has them, and says so', async () => {
    const platform = await newPlatform();
    const owner = machine(platform);
    await owner.deploy();
    const before = await secretsOf(platform);
    const secretFile = join(newFolder(), 'hop.secrets');
    await owner.upgrade({ secretFile });
    expect(await secretsOf(platform)).toEqual(before);
    expect(owner.lines.join('\n')).toContain(`${secretFile} is not used`);
    expect(existsSync(secretFile)).toBe(false);
  });

  it.each([
    [`AUTH_SECRET=${'x'.repeat(15)}`, 'shorter than 16 characters'],
    ['APP_ORIGIN=https://hop.example', 'names APP_ORIGIN, which is no secret'],
  ])('refuses %s before anything changes', async (text, message) => {
    const secretFile = join(newFolder(), 'hop.secrets');
    writeFileSync(secretFile, text);
    const platform = await newPlatform();
    await expect(machine(platform).deploy({ secretFile })).rejects.toThrow(message);
    expect(platform.writes).toEqual([]);
  });
});
