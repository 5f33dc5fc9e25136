import list from './common-passwords.json';

/** Made on first use, about half a megabyte. */
let words: ReadonlySet<string> | undefined;

export const hasCommonPassword = (password: string): boolean =>
  (words ??= readWords(list.entries)).has(password);

/** Each entry starts with the number of characters that it shares with the one before it. */
function readWords(entries: string): ReadonlySet<string> {
  let last = '';
  return new Set(
    entries.split(' ').map((entry) => (last = last.slice(0, Number(entry[0])) + entry.slice(1))),
  );
}
