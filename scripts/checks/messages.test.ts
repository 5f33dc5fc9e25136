import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/shared/place.ts';

/** Whole folders with sentences: those of schemas, and what the OpenAPI document says about them. */
const MESSAGE_FOLDERS = ['worker/messages/**', 'worker/contract/**', 'worker/api/v1/shapes/**'];

/** Other files of the Worker with sentences for people. */
const MESSAGE_FILES = [
  'worker/mail/*text*.ts',
  // The hot path imports no other folder.
  'worker/redirect/{error-page,edge-record}.ts',
  // What is wrong with a setting, for the operator.
  'worker/redirect/configured-origins.ts',
  'worker/auth/service/settings.ts',
  // Supabase's clients expect their sentences, next to the codes of that API.
  'worker/auth/service/*problems.ts',
  'worker/auth/routes.ts',
  // The documentation of the public API, from which the build makes files.
  'worker/api/v1/*operations.ts',
  'worker/api/v1/{mcp-document,openapi,parameters,problem-examples,webhook-docs}.ts',
];

/** Calls whose texts operators and developers read, in logs and stack traces. */
const FOR_OPERATORS =
  /(?:\bnew \w*Error|\bsuper|\blogEvent|\blogFault|\bthrow \w+)\($|\badvice: ?$/;
/** Begins with a capital letter or a value, and ends like a sentence or has three words. */
const SENTENCE = [
  /^[“"‘]?[A-Z][a-z’']*,? [a-z“‘"].*(?:[.!?]$| [a-z’“”]+[^/=]*$)/s,
  /^\$\{[^}]*\},? [a-z“‘"].*[.!?]$/s,
];

type Literal = { text: string; before: string };

/** Returns the string and template literals of a source, each with the code before it. */
function literalsOf(source: string): Literal[] {
  const tokens =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g;
  return [...source.matchAll(tokens)]
    .filter(([token]) => !token.startsWith('/'))
    .map(({ 0: token, index }) => ({
      text: token.slice(1, -1),
      before: source.slice(Math.max(0, index - 80), index).trimEnd(),
    }));
}

/** The texts of a literal: those between the tags of HTML, or else the literal itself. */
const textsOf = (literal: string): string[] =>
  /<\/?\w/.test(literal)
    ? [...literal.matchAll(/>([^<>{}]+)(?=<|$)/g)].map(([, text = '']) => text.trim())
    : [literal];

function sentencesIn(source: string): string[] {
  return literalsOf(source)
    .filter(
      ({ before }) => !FOR_OPERATORS.test(before) && !/\bsql(?:\.raw\(|<[^`]*>)?$/s.test(before),
    )
    .flatMap(({ text }) => textsOf(text))
    .filter(
      (text) =>
        SENTENCE.some((pattern) => pattern.test(text)) &&
        !/^(?:SELECT|INSERT|UPDATE|DELETE|WITH|PRAGMA)\b/.test(text),
    );
}

describe('sentencesIn', () => {
  it.each([
    "error: 'This link is gone.'",
    'text = `No answer within ${SECONDS} seconds.`',
    "list.push(['Destination last changed', value])",
    '`${name} is missing or not valid.`',
    "apiError('x', 'Try again in a minute.')",
    '`<h1>This link needs a password</h1><p>${text}</p>`',
  ])('finds the sentence in %s', (source) => {
    expect(sentencesIn(source)).toHaveLength(1);
  });

  it.each([
    "throw new Error('The database is not bound.')",
    '// This is a comment.',
    "const header = 'Content-Type'",
    'sql`Select one of the rows where x.`',
    "logEvent('mail_failed', { advice: 'Set MAIL_FROM to an address.' })",
    "'default-src self'",
  ])('finds none in %s', (source) => {
    expect(sentencesIn(source)).toEqual([]);
  });
});

describe('sentences for people', () => {
  const filesOf = (patterns: readonly string[]) =>
    globSync(patterns, { cwd: ROOT, exclude: ['**/*.test.ts', '**/testing/**'] });
  const sentencesOf = (file: string) => sentencesIn(readFileSync(join(ROOT, file), 'utf8'));

  it('only message modules say sentences to people', () => {
    const known = new Set(filesOf([...MESSAGE_FOLDERS, ...MESSAGE_FILES]));
    const others = filesOf(['worker/**/*.ts']).filter((file) => !known.has(file));
    expect(others.length).toBeGreaterThan(500);
    expect(others.flatMap((file) => sentencesOf(file).map((text) => `${file}: ${text}`))).toEqual(
      [],
    );
    const silent = MESSAGE_FILES.filter((pattern) =>
      filesOf([pattern]).every((file) => sentencesOf(file).length === 0),
    );
    expect(silent).toEqual([]);
  });
});
