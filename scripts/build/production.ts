import type { InlineConfig } from 'vite';

/**
 * Builds for production, whatever the caller's NODE_ENV. Vite leaves its own in the process, where
 * later child processes (the tests of the pages, say) would inherit it.
 */
export async function buildForProduction(config: InlineConfig): Promise<void> {
  const vite = await import('vite');
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await vite.build({ logLevel: 'warn', ...config });
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
}
