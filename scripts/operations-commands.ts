import { readText } from './markdown.ts';

/**
 * Every command line of docs/operations.md, without its comment. Lines that join commands with &&
 * are several.
 */
export function documentedCommands(): string[] {
  return [...readText('docs/operations.md').matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap(([, block = '']) => block.split('\n'))
    .flatMap((line) => line.replace(/\s+# .*$/, '').split('&&'))
    .map((command) => command.trim())
    .filter((command) => command !== '');
}

/** The words of a command line. Quotes hold a word together. */
export const wordsOf = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
