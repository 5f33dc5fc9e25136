import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { ensureChromium, findChromium, findFullChromium, NO_CHROMIUM } from './chromium.ts';

/** A machine with these files only, and what apt-get is told there; null for this machine. */
const machine = vi.hoisted(() => ({
  files: null as string[] | null,
  asked: [] as unknown[],
  code: 0,
}));
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  const existsSync: typeof real.existsSync = (path) =>
    machine.files?.includes(String(path)) ?? real.existsSync(path);
  return { ...real, existsSync };
});
vi.mock('#scripts/shared/place.ts', async (original) => ({
  ...(await original<typeof import('#scripts/shared/place.ts')>()),
  run: async (program: string, args: string[], { env }: { env: object }) => {
    machine.asked.push([program, args.join(' '), env]);
    if (machine.code === 0 && args.includes('install')) machine.files?.push(`/usr/bin/${args[3]}`);
    return { code: machine.code, output: 'E: no network' };
  },
}));

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  Object.assign(machine, { files: null, asked: [], code: 0 });
});

it('CHROMIUM names the browser, and the full one unless it is a headless shell', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hop-chromium-'));
  const [full, shell] = ['chromium', 'chrome-headless-shell'].map((name) => join(folder, name));
  for (const file of [full, shell]) writeFileSync(file ?? '', '');
  vi.stubEnv('CHROMIUM', full);
  expect([findChromium(), findFullChromium()]).toEqual([full, full]);
  vi.stubEnv('CHROMIUM', shell);
  expect(findChromium()).toBe(shell);
  expect(findFullChromium()).not.toBe(shell);
  const found = findFullChromium();
  vi.stubEnv('CHROMIUM', join(folder, 'missing'));
  expect(findFullChromium()).toBe(found);
  expect(findChromium()).not.toContain(folder);
});

it('root gets the headless shell, the full browser and fonts, once', async () => {
  vi.stubEnv('CHROMIUM', '');
  vi.spyOn(process, 'getuid').mockReturnValue(0);
  const said = vi.spyOn(console, 'log').mockReturnValue();
  machine.files = ['/usr/bin/apt-get'];
  const shell = '/usr/bin/chromium-headless-shell';
  expect([await ensureChromium(), await ensureChromium()]).toEqual([shell, shell]);
  const install = (browser: string) =>
    `-qy install --no-install-recommends ${browser} fonts-liberation fonts-noto-color-emoji`;
  const commands = ['-q update', install('chromium-headless-shell'), install('chromium')];
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  expect(machine.asked).toEqual(commands.map((line) => ['/usr/bin/apt-get', line, env]));
  expect(said).toHaveBeenCalledTimes(1);
  // The full browser is missing.
  machine.files = ['/usr/bin/apt-get', shell];
  machine.code = 100;
  await expect(ensureChromium()).rejects.toThrow('could not be installed:\nE: no network');
});

it.each([
  ['without root', 1000, ['/usr/bin/apt-get']],
  ['without apt', 0, []],
])('%s the browser is not installed, and asked for', async (_, uid, files) => {
  vi.stubEnv('CHROMIUM', '');
  vi.spyOn(process, 'getuid').mockReturnValue(uid);
  machine.files = files;
  await expect(ensureChromium()).rejects.toThrow(NO_CHROMIUM);
  expect(machine.asked).toEqual([]);
});
