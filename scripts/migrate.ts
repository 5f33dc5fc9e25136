import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { discardUnfinishedDemo } from './demo/unfinished.ts';
import { CONFIG, run } from './place.ts';
import { hashOf, onceFor } from './stamp.ts';

/**
 * Applies the migrations that the local databases under `state` lack. Returns whether it looked.
 */
export function ensureMigrated(state: string): Promise<boolean> {
  if (discardUnfinishedDemo(state))
    console.log('The last start was interrupted while it wrote the demo data: starting again.');
  const migrate = async () => {
    const { readBaseConfig } = await import('./deploy/worker-config.ts');
    for (const { binding } of readBaseConfig().d1_databases) {
      const args = [
        'd1',
        'migrations',
        'apply',
        binding,
        '--local',
        '--persist-to',
        state,
        '--config',
        CONFIG,
      ];
      const { code, output } = await run('wrangler', args, { quiet: true });
      if (code !== 0) throw new Error(`The local database could not be migrated:\n${output}`);
    }
  };
  return onceFor(join(state, 'migrated'), hashOf(['migrations']), migrate, () =>
    existsSync(join(state, 'v3', 'd1')),
  );
}
