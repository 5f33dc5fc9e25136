import type { Plugin } from 'vite';

/**
 * The platform reads at most 100 rules from the file. One is for all assets, one for the flags, and
 * a few are reserved.
 */
const RULES_MAX = 94;

/** One rule serves all flags, because there are more flags than allowed rules. */
export const FLAGS_FOLDER = 'assets/flags/';

const ASSET_HEADERS = [
  "Content-Security-Policy: default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy: same-origin',
  'Referrer-Policy: strict-origin-when-cross-origin',
  'Strict-Transport-Security: max-age=31536000',
  'X-Content-Type-Options: nosniff',
];

/**
 * Returns the `_headers` file of a build: security headers for everything under /assets, which
 * bypasses the Worker, and a cache lifetime of one year per existing file. A single rule for all
 * files would also match missing ones, and browsers would cache a 404 from a deploy for a year.
 * `sizes` maps file names to bytes; if there are too many files, the largest ones get a rule.
 */
export function buildHeadersFile(sizes: Readonly<Record<string, number>>): string {
  const files = Object.entries(sizes)
    .filter(([file]) => file.startsWith('assets/') && !file.startsWith(FLAGS_FOLDER))
    .sort(([, a], [, b]) => b - a)
    .slice(0, RULES_MAX)
    .map(([file]) => file);
  const rule = (path: string, lines: readonly string[]): string =>
    [path, ...lines.map((line) => `  ${line}`)].join('\n');
  const cached = files.map((file) =>
    rule(`/${file}`, ['Cache-Control: public, max-age=31536000, immutable']),
  );
  // A week is short enough that a missing flag is soon requested again.
  const flags = rule(`/${FLAGS_FOLDER}*`, ['Cache-Control: public, max-age=604800']);
  return `${[rule('/assets/*', ASSET_HEADERS), flags, ...cached].join('\n')}\n`;
}

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
