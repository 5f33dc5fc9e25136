import { unicodeHost } from './unicode-host.ts';

/**
 * Host names made to be mistaken for other ones (SECURITY.md T10), found by two rules that browsers use to decide against
 * showing Unicode: a label that mixes Latin with a script whose letters look Latin, and a label in which every letter looks
 * Latin (`аррӏе.com`) outside the countries that write in that script.
 */
const LATIN = /\p{Script=Latin}/u;
const LATIN_LIKE_SCRIPTS = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;
const ONLY_LATIN_LOOKALIKES = /^[асԁеһіјӏорԛѕԝхуъьҽпгѵѡαικνρυωηοτ0-9-]+$/u;
const COUNTRIES_OF_THESE_SCRIPTS = /^(bg|by|cy|gr|kg|kz|mk|mn|rs|ru|su|tj|ua|uz)$/;

/** True if `host` (ASCII, as the URL parser writes it) looks like another name. */
export function isLookalike(host: string): boolean {
  if (!host.includes('xn--')) return false;
  const labels = unicodeHost(host).split('.');
  const topLevel = labels.at(-1) ?? '';
  const isHomeScript = LATIN_LIKE_SCRIPTS.test(topLevel) || COUNTRIES_OF_THESE_SCRIPTS.test(topLevel);
  return labels.some(
    (label, i) =>
      LATIN_LIKE_SCRIPTS.test(label) &&
      (LATIN.test(label) || (i < labels.length - 1 && !isHomeScript && ONLY_LATIN_LOOKALIKES.test(label))),
  );
}
