import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FONTS_VERSION, MONO_FONT_PATH, SANS_FONT_PATH } from '#contract/pages/fonts.ts';
import { contrast, parseOklch } from '#web/testing/contrast.ts';

const web = join(import.meta.dirname, '..');
const css = readFileSync(join(web, 'styles/theme.css'), 'utf8');
const colours = new Map(
  [...css.matchAll(/--color-([a-z0-9-]+): light-dark\((oklch\([^)]*\)), (oklch\([^)]*\))\);/g)].map(
    (match) => [match[1] ?? '', { light: match[2] ?? '', dark: match[3] ?? '' }],
  ),
);

const GROUNDS = ['canvas', 'surface', 'raised', 'sunken'];
const TEXT_ON: [string, string[]][] = [
  ['ink', [...GROUNDS, 'accent-soft', 'good-soft', 'warn-soft', 'bad-soft']],
  ['ink-2', [...GROUNDS, 'accent-soft']],
  ['ink-3', GROUNDS],
  ['accent', [...GROUNDS, 'accent-soft']],
  ['good', [...GROUNDS, 'good-soft']],
  ['warn', [...GROUNDS, 'warn-soft']],
  ['bad', [...GROUNDS, 'bad-soft']],
  ['on-accent', ['accent']],
  // These are the text colors of the primary and the danger button.
  ['canvas', ['ink', 'ink-2', 'bad']],
];
const CONTROLS_ON: [string, string[]][] = [
  ['line-strong', ['canvas', 'surface', 'raised']],
  ['accent', GROUNDS],
  ...['chart-1', 'chart-2', 'chart-3', 'chart-4', 'chart-5'].map((name): [string, string[]] => [
    name,
    ['surface', 'canvas'],
  ]),
];

function ratio(name: string, ground: string, scheme: 'light' | 'dark'): number {
  const front = colours.get(name);
  const back = colours.get(ground);
  if (front === undefined || back === undefined)
    throw new Error(`No token ${name} or ${ground} in theme.css.`);
  return contrast(parseOklch(front[scheme]), parseOklch(back[scheme]));
}

describe.each(['light', 'dark'] as const)('contrast in the %s scheme', (scheme) => {
  it.each(TEXT_ON.flatMap(([name, grounds]) => grounds.map((ground) => [name, ground] as const)))(
    'text has a contrast of at least 4.5 in %s on %s',
    (name, ground) => {
      expect(ratio(name, ground, scheme)).toBeGreaterThanOrEqual(4.5);
    },
  );
  it.each(
    CONTROLS_ON.flatMap(([name, grounds]) => grounds.map((ground) => [name, ground] as const)),
  )('controls have a contrast of at least 3 in %s on %s', (name, ground) => {
    expect(ratio(name, ground, scheme)).toBeGreaterThanOrEqual(3);
  });
});

describe('controls in the dark scheme', () => {
  const lightness = (name: string): number =>
    Number(/^oklch\(([\d.]+) /.exec(colours.get(name)?.dark ?? '')?.[1]);
  it.each(['control', 'hover', 'pressed', 'disabled'])(
    'controls in the dark scheme are lighter than what is below them: %s',
    (name) => {
      for (const ground of [...GROUNDS, 'line'])
        expect(lightness(name)).toBeGreaterThan(lightness(ground));
    },
  );
});

describe('QR codes', () => {
  it('QR codes are dark on white in both schemes', () => {
    const colorOf = (name: string): string =>
      new RegExp(`--color-${name}: (oklch\\([^)]*\\));`).exec(css)?.[1] ?? '';
    expect(colorOf('paper')).toBe('oklch(1 0 0)');
    const front = parseOklch(colorOf('on-paper'));
    expect(contrast(front, parseOklch(colorOf('paper')))).toBeGreaterThanOrEqual(7);
  });
});

describe('the pages that the Worker writes', () => {
  const style = ['redirect/page-style.ts', 'system/status-page.ts']
    .map((file) => readFileSync(join(web, '../worker', file), 'utf8'))
    .join('');
  const copies = [
    ...style.matchAll(/--([a-z0-9-]+):light-dark\((oklch\([^)]*\)),(oklch\([^)]*\))\)/g),
  ];

  it('pages that the Worker writes have the colors of the theme', () => {
    expect(copies.length).toBeGreaterThan(5);
    for (const [, name = '', light, dark] of copies)
      expect({ light, dark }, name).toEqual(colours.get(name));
  });

  it('pages that the Worker writes name fonts after the version of their packages', () => {
    const { dependencies } = JSON.parse(readFileSync(join(web, '../package.json'), 'utf8'));
    expect(dependencies).toMatchObject({
      '@fontsource-variable/geist': FONTS_VERSION,
      '@fontsource-variable/geist-mono': FONTS_VERSION,
    });
    const packages = join(web, '../node_modules/@fontsource-variable');
    for (const [name, path] of Object.entries({
      geist: SANS_FONT_PATH,
      'geist-mono': MONO_FONT_PATH,
    })) {
      const file = path.replace('/assets/', '').replace(`-${FONTS_VERSION}`, '');
      expect(existsSync(join(packages, name, 'files', file)), path).toBe(true);
    }
  });
});

describe('contrast', () => {
  it('the contrast agrees with known color pairs', () => {
    expect(contrast(parseOklch('oklch(1 0 0)'), parseOklch('oklch(0 0 0)'))).toBeCloseTo(21, 1);
    // #767676 on white has a contrast of 4.54.
    expect(contrast(parseOklch('oklch(0.5658 0 0)'), parseOklch('oklch(1 0 0)'))).toBeCloseTo(
      4.54,
      1,
    );
  });
});

const RAW = [
  { what: 'a hex colour', pattern: /#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b(?![\w-])/i },
  { what: 'a colour function', pattern: /\b(?:rgba?|hsla?|oklch|oklab|lab|lch)\(/ },
  {
    what: 'a state darker than its surface in the dark scheme',
    pattern: /\b(?:hover|active|focus|disabled):bg-sunken\b/,
  },
  {
    what: 'left or right where the text may run from right to left',
    pattern:
      /(?<![\w-])-?(?:[mp][lr]-(?:\d|auto|px|\[)|(?:left|right)-\d|(?:text|float)-(?:left|right)\b|(?:border|rounded)-[lr]\b)/,
  },
  {
    what: 'a palette class',
    pattern:
      /\b(?:bg|text|border|fill|stroke|ring|outline|decoration|accent|caret|from|via|to|divide|shadow)-(?:(?:red|orange|amber|yellow|lime|green|emerald|teal|cyan|sky|blue|indigo|violet|purple|fuchsia|pink|rose|slate|gray|zinc|neutral|stone)-\d{2,3}|white|black)\b/,
  },
];

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /\.(tsx?|css|html)$/.test(file) &&
      !/^(dist|testing)\b/.test(file) &&
      !/\.test\.tsx?$/.test(file) &&
      file !== join('styles', 'theme.css'),
  );
}

describe('source files', () => {
  it.each(sources(web))('the source file %s defines no colors and no sides', (file) => {
    const text = readFileSync(join(web, file), 'utf8');
    for (const { what, pattern } of RAW) {
      // Imports such as '#web/…' and links such as docs/decisions.md#d5 look like hex colors.
      const found = pattern.exec(
        text.replaceAll(/['"`]#(web|contract|hop)[^'"`]*['"`]|\.md#d\d+/g, ''),
      );
      expect(found?.[0], `${what} in ${file}`).toBeUndefined();
    }
  });
});
