/** Added to a capital letter's code point, this gives its regional indicator: 'A' becomes U+1F1E6. */
const REGIONAL_INDICATOR_OFFSET = 0x1f1e6 - 0x41;

/** A two-letter country code as a flag emoji; '' for anything else. */
export const flagEmoji = (country: string): string =>
  /^[A-Z]{2}$/.test(country)
    ? String.fromCodePoint(...Array.from(country, (letter) => REGIONAL_INDICATOR_OFFSET + letter.charCodeAt(0)))
    : '';

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** The name of a country: 'IN' → 'India'; '', 'XX' and 'Unknown' → 'Unknown'. Cloudflare uses 'T1' for the Tor network. */
export function countryName(country: string): string {
  if (country === '' || country === 'XX' || country === 'Unknown') return 'Unknown';
  if (country === 'T1') return 'Tor network';
  return /^[A-Z]{2}$/.test(country) ? (names.of(country) ?? country) : country;
}
