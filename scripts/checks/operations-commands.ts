import { readText } from '#scripts/shared/markdown.ts';

/**
 * Returns every command line of docs/operations.md without its comment. Commands joined with && are
 * separate.
 */
export function documentedCommands(): string[] {
  return [...readText('docs/operations.md').matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap(([, block = '']) => block.split('\n'))
    .flatMap((line) => line.replace(/\s+# .*$/, '').split('&&'))
    .map((command) => command.trim())
    .filter((command) => command !== '');
}

/** Splits a command line into words. Quotes hold a word together. */
export const wordsOf = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
