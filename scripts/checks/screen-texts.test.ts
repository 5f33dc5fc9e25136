import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/shared/place.ts';
import { screenTextsOf, type ScreenText } from './screen-texts.ts';
import { FIXED_TEXTS, NAMES, WRONG_WORDS } from './screen-words.ts';

const PARTS = [
  'web/**/*.{ts,tsx}',
  'worker/messages/**/*.ts',
  'worker/contract/**/*.ts',
  'worker/mail/*text*.ts',
  'worker/auth/service/*problems.ts',
  'worker/redirect/error-page.ts',
];

const withoutFixedTexts = (text: string): string =>
  FIXED_TEXTS.reduce((rest, fixed) => rest.replaceAll(fixed, 'Fixed'), text);

/** Returns the words of `text` that must not be on a screen, with what is written instead. */
const wrongWordsOf = (text: string): string[] =>
  WRONG_WORDS.flatMap(([pattern, instead]) => {
    const found = pattern.exec(withoutFixedTexts(text));
    return found === null ? [] : [`“${found[0]}”, but ${instead}`];
  });

/** Returns the words inside a label that begin with a capital letter without being a name. */
const capitalsOf = ({ text, isLabel }: ScreenText): string[] =>
  isLabel
    ? [
        ...withoutFixedTexts(text).matchAll(
          /(?<=[a-z0-9,)’…] (?:[“(]?))[A-Z][a-z]+(?:\.[a-z]+)?\b/g,
        ),
      ]
        .map(([word]) => word)
        .filter((word) => word !== 'Fixed' && !NAMES.includes(word))
    : [];

const faultsOf = (text: ScreenText): string[] => [
  ...wrongWordsOf(text.text),
  ...capitalsOf(text).map((word) => `“${word}” in the middle of a label`),
];

const faultsIn = (source: string): string[] =>
  screenTextsOf('page.tsx', source).flatMap((text) => faultsOf(text));

describe('screenTextsOf', () => {
  it.each([
    ['<h2>New link</h2>', [{ text: 'New link', isLabel: true }]],
    ['<p>A new link</p>', [{ text: 'A new link', isLabel: false }]],
    ["<p title={a ? 'One link' : `${n} links`}>x</p>", ['One link', '… links']],
    ["const labels = { label: 'Tags', path: 'Not read' };", ['Tags']],
    ['<p className={clsx(a, "font medium")}>{count}</p>', []],
  ])('finds the texts in %s', (source, expected) => {
    const found = screenTextsOf('page.tsx', source);
    expect(found).toMatchObject(
      expected.map((text) => (typeof text === 'string' ? { text } : text)),
    );
    expect(found).toHaveLength(expected.length);
  });

  it('throws for a file that cannot be parsed', () => {
    expect(() => screenTextsOf('page.tsx', '<p>Text')).toThrow('page.tsx could not be parsed.');
  });
});

describe('faults of texts', () => {
  it.each([
    '<p>Choose a colour.</p>',
    "setMessage('The target is not valid.')",
    '<p>Your {name} was cancelled.</p>',
    '<h2>Create Link</h2>',
    '<Field label="End Date" />',
    "const column = { header: 'Last Click' }",
    '<h2>What is Short?</h2>',
  ])('finds the fault in %s', (source) => {
    expect(faultsIn(source)).toHaveLength(1);
  });

  it.each([
    '<h2>Clicks by Country</h2>',
    '<Button>Back to My URLs</Button>',
    '<Button>Get Premium</Button>',
    '<p>Ask Ms Miller.</p>',
    '<h2>Coming from Short.io?</h2>',
    "<a target='_blank'>Open</a>",
  ])('finds none in %s', (source) => {
    expect(faultsIn(source)).toEqual([]);
  });
});

describe('texts on screen', () => {
  const files = PARTS.flatMap((part) =>
    globSync(part, {
      cwd: ROOT,
      exclude: ['**/dist/**', '**/*.test.*', '**/testing/**', '**/*.d.ts'],
    }),
  );
  const texts = files.flatMap((file) =>
    screenTextsOf(file, readFileSync(join(ROOT, file), 'utf8')).map((text) =>
      Object.assign(text, { file }),
    ),
  );

  it('every text is in American English and sentence case, with one word per thing', () => {
    expect(files.length).toBeGreaterThan(400);
    const found = texts.flatMap((text) =>
      faultsOf(text).map((fault) => `${text.file}: ${fault}: ${text.text.slice(0, 90)}`),
    );
    expect(found).toEqual([]);
  });

  it('the message modules of the Worker write each sentence once', () => {
    const sentences = texts.filter(
      ({ file, text }) => file.startsWith('worker/') && /^(?:\S+ ){4,}\S+[.?]$/.test(text),
    );
    expect(sentences.length).toBeGreaterThan(500);
    const places = Map.groupBy(sentences, ({ text }) => text).entries();
    const repeated = [...places].flatMap(([text, { length }]) => (length > 1 ? [text] : []));
    expect(repeated).toEqual([]);
  });
});
