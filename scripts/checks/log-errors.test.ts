import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readText } from '#scripts/shared/markdown.ts';
import { ROOT } from '#scripts/shared/place.ts';

const sources = globSync('worker/**/*.ts', {
  cwd: ROOT,
  exclude: ['**/*.test.ts', '**/*.d.ts', 'worker/testing/**'],
})
  .filter((file) => file !== 'worker/log.ts')
  .map((file) => ({ file, text: readText(file).replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '') }));

function logCalls(text: string): string[] {
  return [...text.matchAll(/\b(?:logEvent|\.log|console\.\w+)\(/g)].map(({ index, 0: call }) => {
    const start = index + call.length;
    let depth = 1;
    let end = start;
    while (depth > 0 && end < text.length) {
      depth += { '(': 1, ')': -1 }[text.charAt(end)] ?? 0;
      end += 1;
    }
    return text.slice(start, end - 1);
  });
}

const find = (isWrong: (text: string) => RegExpMatchArray | string[] | null): string[] =>
  sources.flatMap(({ file, text }) => (isWrong(text) ?? []).map((match) => `${file}: ${match}`));

describe('log lines', () => {
  it('the check finds the log lines in the sources', () => {
    expect(sources.flatMap(({ text }) => logCalls(text)).length).toBeGreaterThan(35);
  });

  it('[T65] log lines get errors from errorFacts and errorText only', () => {
    const quotes = /\.(?:message|stack|cause)\b|\bString\(|\$\{\s*(?:error|cause|e|err)\b/;
    expect(find((text) => logCalls(text).filter((call) => quotes.test(call)))).toEqual([]);
  });

  it('[T65] no source makes text of an unknown error', () => {
    // Texts that are only compared, or that become the message of another error, are not logged.
    expect(
      find((text) =>
        text.match(/(?<!new Error\(|test\()\bString\((?:error|cause|reason|e|err)\)/g),
      ),
    ).toEqual([]);
    expect(
      find((text) => text.match(/\b(\w+) instanceof Error \? \1\.(?:message|stack)/g)),
    ).toEqual([]);
  });

  it('[T65] only log.ts writes log lines', () => {
    expect(find((text) => text.match(/\bconsole\.\w+\(/g))).toEqual([]);
  });
});
