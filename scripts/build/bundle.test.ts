import { readFileSync } from 'node:fs';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { parseSync } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { CONFIG } from '#scripts/shared/place.ts';
import { bundleReadable } from './bundle.ts';

let text = '';
/** The functions of the parts that load on first use. */
let parts: { name: string; length: number }[] = [];
beforeAll(async () => {
  const file = await bundleReadable();
  text = readFileSync(file, 'utf8');
  parts = parseSync(file, text).program.body.flatMap((node) => {
    if (node.type !== 'FunctionDeclaration' || !node.id?.name.startsWith('$')) return [];
    return [{ name: node.id.name, length: node.end - node.start }];
  });
});

describe('the Worker’s bundle', () => {
  // Everything else is read completely at every start: docs/decisions.md#d72.
  it('loads 90 % of its code on first use', () => {
    const sum = parts.reduce((before, { length }) => before + length, 0);
    expect(sum / text.length).toBeGreaterThan(0.9);
  });

  it('every part loads and exports something', async () => {
    const names = parts.map(({ name }) => name).join();
    const handler = `{ fetch: () => Response.json([${names}].map((load) => Object.keys(load()).length)) }`;
    const { compatibility_date, compatibility_flags } = unstable_readConfig({ config: CONFIG });
    const platform = new Miniflare(
      convertV4MiniflareOptions({
        modules: true,
        script: `${text.replace(/^export \{[^}]*\};$/m, '')}\nexport default ${handler};`,
        compatibilityDate: compatibility_date ?? '',
        compatibilityFlags: compatibility_flags,
      }),
    );
    try {
      const counts = await (await platform.dispatchFetch('http://localhost/')).json();
      expect(counts).toHaveLength(parts.length);
      expect(counts).not.toContain(0);
    } finally {
      await platform.dispose();
    }
  });
});
