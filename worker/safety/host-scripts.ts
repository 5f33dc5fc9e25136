/**
 * Decides which labels of a host may be shown in Unicode (SECURITY.md T52); the others are shown in
 * Punycode. Like browsers, it follows Unicode's security profile
 * (https://www.unicode.org/reports/tr39/): a label has one script, or Latin with Chinese, Japanese
 * or Korean, and only scripts in everyday use (UAX 31, table 5).
 */

/**
 * The letters in everyday use of each script, as the inside of a character class, because the
 * runtime knows only all letters of a script. In other scripts, every letter is allowed. No script
 * may use its own digits. Letters are lower-case, because the URL parser lower-cases host names.
 */
const LETTERS: Readonly<Record<string, string>> = {
  // Phonetic letters, kra and rare letters with diacritics, such as ḷ, are missing on purpose.
  Latin: String.raw`a-z\u00df-\u00f6\u00f8-\u0137\u0139-\u017e\u01a1\u01b0\u01e7\u01e9\u0219\u021b\u0259\u1ea0-\u1ef9`,
  Cyrillic: String.raw`\u0430-\u045f\u048b-\u04ff\u0511-\u0529\u052f`,
  Greek: String.raw`\u0390\u03ac-\u03ce`,
  Armenian: String.raw`\u0561-\u0586`,
  Georgian: String.raw`\u10d0-\u10f0`,
  Hangul: String.raw`\uac00-\ud7a3`,
};
const OTHERS =
  'Arabic Bengali Bopomofo Devanagari Ethiopic Gujarati Gurmukhi Han Hebrew Hiragana Kannada Katakana Khmer Lao Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan';
const NAMES = [...Object.keys(LETTERS), ...OTHERS.split(' ')];

const lettersOf = (name: string): string =>
  LETTERS[name] ?? String.raw`[\p{Script=${name}}&&[\p{L}\p{M}]]`;
const labelOf = (letters: string): RegExp => new RegExp(String.raw`^[${letters}0-9\-]+$`, 'v');

const ONE_SCRIPT = NAMES.map((name) => labelOf(lettersOf(name)));
/** Scripts that are written together. Of Latin, only its plain letters are used with them. */
const WRITTEN_TOGETHER = [
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Bopomofo'],
  ['Han', 'Hangul'],
];
const TOGETHER = WRITTEN_TOGETHER.map((names) => labelOf(`a-zー${names.map(lettersOf).join('')}`));

const SCRIPTS = NAMES.map((name) => ({
  name,
  has: new RegExp(String.raw`\p{Script=${name}}`, 'v'),
}));
const LISTED = NAMES.map((name) => String.raw`\p{Script=${name}}`).join('');
const UNLISTED = new RegExp(String.raw`[^${LISTED}\p{Script=Common}\p{Script=Inherited}]`, 'v');

/** Letters that look like plain ones, and the top-level domains of the languages that need them. */
const REGIONAL = [
  { letters: /ı/, countries: /^(?:az|tr)$/ },
  { letters: /ə/, countries: /^az$/ },
  { letters: /[ðþ]/, countries: /^(?:fo|is)$/ },
  { letters: /[ơưạ-ỹ]/, countries: /^vn$/ },
];

type Lookalikes = { letters: string; countries: RegExp };
const onlyOf = ({ letters, countries }: Lookalikes) => ({
  only: new RegExp(`^[${letters}0-9-]+$`, 'u'),
  countries,
});
/**
 * Letters that look the same as Latin ones, and the top-level domains where whole words of them are
 * plausible.
 */
const LATIN_TWINS = [
  { letters: 'асԁеԍһіјӏорԗԛѕԝхуъьҽпгѵѡ', countries: /^(?:bg|by|kg|kz|mk|mn|rs|ru|su|tj|ua|uz)$/ },
  { letters: 'αικνρυωηοτ', countries: /^(?:cy|gr)$/ },
].map(onlyOf);
/**
 * Letters that only resemble Latin ones. Too many real words consist of them to reject their
 * labels, which are shown in Punycode instead.
 */
const LATIN_LIKE = [
  { letters: 'ագզէլհյոսւօցքռ', countries: /^am$/ },
  { letters: 'იოყძხ', countries: /^ge$/ },
  { letters: 'דוחיןס', countries: /^il$/ },
  { letters: 'ሀሠሰስበነተከዐዕዘጠፐ', countries: /^(?:er|et)$/ },
  { letters: 'ขคงทนบปพฟมรลหแเดตอ', countries: /^th$/ },
  { letters: 'ခဂငထပဝ', countries: /^mm$/ },
  { letters: 'ടഠധനറଠડટடப', countries: /^in$/ },
].map(onlyOf);

/**
 * East Asian letters that look like a slash, a line, a dash or a Latin letter when no other East
 * Asian letters are next to them.
 */
const STROKES =
  /(?:^|[a-z0-9-])[ノソゾンエニハロトカ丶丿乀乁一丨乛七丅十丁工讠口囗卜ㄧㄒㄚㄟㄨㄩㄈ]+(?:$|[a-z0-9-])/u;
/** The Japanese long-vowel mark without a vowel before it, which looks like a dash. */
const LONE_LONG_VOWEL = new RegExp(
  String.raw`(?<![\p{Script=Hiragana}\p{Script=Katakana}])ー`,
  'u',
);

/**
 * True if all letters of a label belong to one script in everyday use, or to scripts that are
 * written together, and the label does not imitate another one.
 */
export function isShownInUnicode(label: string, topLevel: string): boolean {
  // None of these patterns accepts symbols, emoji, combining marks, joiners, foreign digits or
  // unusual letters.
  if (![...ONE_SCRIPT, ...TOGETHER].some((pattern) => pattern.test(label))) return false;
  if (REGIONAL.some(({ letters, countries }) => letters.test(label) && !countries.test(topLevel)))
    return false;
  if (STROKES.test(label) || LONE_LONG_VOWEL.test(label)) return false;
  return !consistsOf([...LATIN_TWINS, ...LATIN_LIKE], label, topLevel);
}

/**
 * True if every letter of a label looks the same as a Latin one and its top-level domain does not
 * explain that.
 */
export const consistsOfLookalikes = (label: string, topLevel: string): boolean =>
  consistsOf(LATIN_TWINS, label, topLevel);

function consistsOf(
  lookalikes: readonly ReturnType<typeof onlyOf>[],
  label: string,
  topLevel: string,
): boolean {
  if (/^[a-z0-9-]*$/.test(label) || sharesScript(label, topLevel)) return false;
  return lookalikes.some(({ only, countries }) => only.test(label) && !countries.test(topLevel));
}

/** True if a label has letters of several scripts that are not written together. */
export function mixesScripts(label: string): boolean {
  const found = SCRIPTS.filter(({ has }) => has.test(label)).map(({ name }) => name);
  if (UNLISTED.test(label)) found.push('another');
  return (
    found.length > 1 &&
    !WRITTEN_TOGETHER.some((set) => found.every((name) => name === 'Latin' || set.includes(name)))
  );
}

const sharesScript = (one: string, other: string): boolean =>
  SCRIPTS.some(({ name, has }) => name !== 'Latin' && has.test(one) && has.test(other));
