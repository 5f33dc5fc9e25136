import type { Plugin } from 'vite';

/** The platform reads at most 100 rules; one is for all assets, and some room is left. */
const RULES_MAX = 95;

const EVERY_ASSET = [
  "Content-Security-Policy: default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy: same-origin',
  'Referrer-Policy: strict-origin-when-cross-origin',
  'Strict-Transport-Security: max-age=31536000',
  'X-Content-Type-Options: nosniff',
];

/**
 * The `_headers` file of a build: security headers for everything under /assets, which does not pass through the Worker,
 * and a year in the cache for each file that is really there. Not one rule for all of them: it would hold for a missing
 * file, too, and while a deploy spreads, a browser would keep that 404 for a year. `sizes`: file name → bytes; where there
 * are more files than rules, the biggest get them.
 */
export function buildHeadersFile(sizes: Readonly<Record<string, number>>): string {
  const files = Object.entries(sizes)
    .filter(([file]) => file.startsWith('assets/'))
    .sort(([, a], [, b]) => b - a)
    .slice(0, RULES_MAX)
    .map(([file]) => file);
  const rule = (path: string, lines: readonly string[]): string => [path, ...lines.map((line) => `  ${line}`)].join('\n');
  const cached = files.map((file) => rule(`/${file}`, ['Cache-Control: public, max-age=31536000, immutable']));
  return `${[rule('/assets/*', EVERY_ASSET), ...cached].join('\n')}\n`;
}

/** Writes `_headers` beside the built files. */
export function assetHeaders(): Plugin {
  return {
    name: 'hop:asset-headers',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const sizes: Record<string, number> = {};
        for (const [file, output] of Object.entries(bundle)) {
          sizes[file] = output.type === 'chunk' ? output.code.length : output.source.length;
        }
        this.emitFile({ type: 'asset', fileName: '_headers', source: buildHeadersFile(sizes) });
      },
    },
  };
}
