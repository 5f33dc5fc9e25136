import { consistsOfLookalikes, isShownInUnicode, mixesScripts } from './host-scripts.ts';
import { unicodeHost } from './unicode-host.ts';

/** Phonetic letters that look like plain ones. */
const LATIN_LOOKALIKES = /[ɑɡɩɪʏʀɴʜʙɢʟᴀᴄᴅᴇᴊᴋᴍᴏᴘᴛᴜᴠᴡᴢꜰꜱꞁ]/u;
/** Digits of other scripts, some of which look like an o, a dot or another digit. */
const FOREIGN_DIGIT = new RegExp(String.raw`(?![0-9])\p{Nd}`, 'u');
/**
 * Characters between letters that look like a slash, a dot, a colon or a hyphen: `example.com⁄path`
 * is one host name. The l·l of Catalan is allowed.
 */
const LOOKS_LIKE_SYNTAX = new RegExp(
  String.raw`[a-z0-9](?!(?<=l)·l)(?:(?![\0-\x7f])[\p{Po}\p{Pd}\p{Sm}\p{Sk}ːꞏ╱〳]|[ノソゾン丶丿乀乁])+[a-z0-9]`,
  'u',
);

/**
 * True if `host` (ASCII, as the URL parser writes it) imitates another name (SECURITY.md T10). It
 * does if a label mixes scripts, consists of letters of another script that look Latin
 * (`аррӏе.com`), or contains a character that looks like a plain letter or like URL syntax.
 */
export function isLookalike(host: string): boolean {
  if (!host.includes('xn--')) return false;
  const labels = unicodeHost(host).split('.');
  const topLevel = labels.at(-1) ?? '';
  return labels.some(
    (label) =>
      mixesScripts(label) ||
      LATIN_LOOKALIKES.test(label) ||
      LOOKS_LIKE_SYNTAX.test(label) ||
      (/[a-z]/.test(label) && FOREIGN_DIGIT.test(label)) ||
      consistsOfLookalikes(label, topLevel),
  );
}

/**
 * Returns a parsed host name as it is shown to people: in Unicode if every label is safe to show,
 * otherwise in Punycode (SECURITY.md T52).
 */
export function displayHost(host: string): string {
  if (!host.includes('xn--')) return host;
  const unicode = unicodeHost(host);
  const labels = unicode.split('.');
  const topLevel = labels.findLast((label) => label !== '') ?? '';
  return labels.every((label) => label === '' || isShownInUnicode(label, topLevel))
    ? unicode
    : host;
}
