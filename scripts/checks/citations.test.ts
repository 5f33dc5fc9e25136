import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readText, sectionsOf, tableRows } from '#scripts/shared/markdown.ts';
import { ROOT } from '#scripts/shared/place.ts';

/**
 * Words that cite a document outside this repository. Citations of web pages (RFC 9110 §15.4.3) are
 * allowed.
 */
const PRIVATE = /\b(?:decisions?|threats?|issues?) #?\d|\b(?:spec|contract) ?§|\bthe spec\b/i;
/** A document of this repository, with or without an anchor: docs/decisions.md#d18. */
const DOCUMENT =
  /(?<![\w/])((?:docs\/[\w-]+|README|SECURITY|CONTRIBUTING|CHANGELOG)\.md)(?:#([\w-]+))?/g;
/** A row of SECURITY.md: SECURITY.md T13. */
const ROW = /\bSECURITY\.md ([TA]\d+)\b/g;

/** A source file in a comment or a document: worker/db/batch.ts, db/batch.ts, batch.ts. */
const SOURCE = /(?<![\w./@{}<>*-])((?:[\w-]+\/)*[\w.-]+\.(?:ts|tsx|mjs))\b(?![*/])/g;
const IS_COMMENT = /^\s*(?:\*|\/\/|\/\*)/;

const files = globSync(
  '{*.*,.ci/*,.github/**/*.*,{worker,web,cli,extension,scripts,e2e,bench,docs,migrations}/**/*.*}',
  {
    cwd: ROOT,
    exclude: [
      'web/dist/**',
      '{cli,extension}/dist/**',
      'package-lock.json',
      'bench/work/**',
      '**/testdata/**',
      'scripts/checks/citations.test.ts',
    ],
  },
).filter((file) =>
  /(?:^|\/)[^/]*\.(?:ts|tsx|js|mjs|css|html|md|toml|json|yml|sql|lua)$|\.ci\/run$/.test(file),
);

/** Returns 'file:line: text' for every line of every file in which `isWrong` finds something. */
const linesWhere = (isWrong: (line: string) => boolean): string[] =>
  files.flatMap((file) =>
    readText(file)
      .split('\n')
      .flatMap((line, i) =>
        isWrong(line) ? [`${file}:${i + 1}: ${line.trim().slice(0, 120)}`] : [],
      ),
  );

describe('citations', () => {
  it('the check reads the whole repository', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(
      files.filter((file) =>
        /^(README\.md|worker\/router\.ts|web\/main\.tsx|e2e\/walk\.e2e\.ts)$/.test(file),
      ),
    ).toHaveLength(4);
  });

  it('cites no document that is not in the repository', () => {
    expect(linesWhere((line) => PRIVATE.test(line))).toEqual([]);
  });

  it('cites only documents and anchors that exist', () => {
    const anchorsOf = new Map<string, Set<string>>();
    const exists = (path: string, anchor: string | undefined): boolean => {
      if (!existsSync(join(ROOT, path))) return false;
      if (anchor === undefined) return true;
      const anchors =
        anchorsOf.get(path) ?? new Set(sectionsOf(readText(path)).map((section) => section.anchor));
      anchorsOf.set(path, anchors);
      return anchors.has(anchor);
    };
    expect(
      linesWhere((line) =>
        [...line.matchAll(DOCUMENT)].some(([, path = '', anchor]) => !exists(path, anchor)),
      ),
    ).toEqual([]);
  });

  it('cites only rows of SECURITY.md that exist', () => {
    const tags = new Set(tableRows(readText('SECURITY.md')).map(([tag]) => tag));
    expect(linesWhere((line) => [...line.matchAll(ROW)].some(([, tag]) => !tags.has(tag)))).toEqual(
      [],
    );
  });

  it('cites only source files that exist', () => {
    const sources = globSync('**/*.{ts,tsx,mjs}', {
      cwd: ROOT,
      exclude: [
        'node_modules/**',
        'web/dist/**',
        'cli/dist/**',
        'extension/dist/**',
        'bench/work/**',
      ],
    });
    const exists = (cited: string): boolean =>
      sources.some((path) => path === cited || path.endsWith(`/${cited}`));
    const cites = (file: string, line: string): boolean =>
      (file.endsWith('.md') && file !== 'CHANGELOG.md') || IS_COMMENT.test(line);
    const dangling = files.flatMap((file) =>
      readText(file)
        .split('\n')
        .filter((line) => cites(file, line))
        .flatMap((line) => [...line.matchAll(SOURCE)].map(([, cited = '']) => cited))
        .filter((cited) => !exists(cited))
        .map((cited) => `${file} cites ${cited}`),
    );
    expect(dangling).toEqual([]);
  });
});
