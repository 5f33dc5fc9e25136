import type { Plugin } from 'vite';

/**
 * The platform reads at most 100 rules from the file. One of them is for all assets, one for the
 * flags, and a few are left in reserve.
 */
const RULES_MAX = 94;

/** One rule serves all flags, because they are more than the platform reads rules. */
export const FLAGS_FOLDER = 'assets/flags/';

const ASSET_HEADERS = [
  "Content-Security-Policy: default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy: same-origin',
  'Referrer-Policy: strict-origin-when-cross-origin',
  'Strict-Transport-Security: max-age=31536000',
  'X-Content-Type-Options: nosniff',
];

/**
 * The `_headers` file of a build: security headers for everything under /assets, which bypasses the
 * Worker, and a cache lifetime of one year for each existing file. A single rule for all files
 * would also apply to missing ones, and browsers would keep a 404 seen during a deploy for a year.
 * `sizes` maps file names to bytes; the largest files get a rule if there are too many.
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
  // A week: a missing flag is not remembered for long.
  const flags = rule(`/${FLAGS_FOLDER}*`, ['Cache-Control: public, max-age=604800']);
  return `${[rule('/assets/*', ASSET_HEADERS), flags, ...cached].join('\n')}\n`;
}

/** Adds the `_headers` file to the build. */
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
