import { unicodeLabel } from './punycode.ts';

/**
 * Host names made to be taken for another one (threat 10), by the two rules that browsers use to stop showing
 * Unicode: a label that mixes Latin with a script whose letters look Latin, and a label all of whose letters are
 * such doubles (`аррӏе.com`) outside the countries that write so.
 */
const LATIN = /\p{Script=Latin}/u;
const LOOK_LATIN = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;
const DOUBLES = /^[асԁеһіјӏорԛѕԝхуъьҽпгѵѡαικνρυωηοτ0-9-]+$/u;
const HOME_OF_DOUBLES = /^(bg|by|cy|gr|kg|kz|mk|mn|rs|ru|su|tj|ua|uz)$/;

/** True if `host` (ASCII, as the URL parser writes it) looks like another name. */
export function isLookalike(host: string): boolean {
  if (!host.includes('xn--')) return false;
  const labels = host.split('.').map(unicodeLabel);
  const top = labels.at(-1) ?? '';
  const homeScript = LOOK_LATIN.test(top) || HOME_OF_DOUBLES.test(top);
  return labels.some(
    (label, i) => LOOK_LATIN.test(label) && (LATIN.test(label) || (i < labels.length - 1 && !homeScript && DOUBLES.test(label))),
  );
}
