import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { buildForProduction } from './production.ts';

afterEach(() => vi.unstubAllEnvs());

it.each([undefined, 'test'])(
  'a production build leaves NODE_ENV=%s to later processes',
  async (env) => {
    vi.stubEnv('NODE_ENV', env);
    const root = mkdtempSync(join(tmpdir(), 'hop-production-'));
    writeFileSync(join(root, 'main.js'), 'export default process.env.NODE_ENV;');

    await buildForProduction({
      configFile: false,
      root,
      build: { lib: { entry: 'main.js', formats: ['es'], fileName: 'built' } },
    });

    expect(process.env['NODE_ENV']).toBe(env);
    const failed = buildForProduction({ configFile: false, root, logLevel: 'silent' });
    await expect(failed).rejects.toThrow('index.html');
    expect(process.env['NODE_ENV']).toBe(env);
    rmSync(root, { recursive: true });
  },
);
