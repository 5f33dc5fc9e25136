let names: Intl.DisplayNames | undefined;

/**
 * The name of a country: 'IN' → 'India'; '', 'XX' and 'Unknown' → 'Unknown'. Cloudflare uses 'T1'
 * for the Tor network.
 */
export function countryName(country: string): string {
  if (country === '' || country === 'XX' || country === 'Unknown') return 'Unknown';
  if (country === 'T1') return 'Tor network';
  names ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
  return /^[A-Z]{2}$/.test(country) ? (names.of(country) ?? country) : country;
}
