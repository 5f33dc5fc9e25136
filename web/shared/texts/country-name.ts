import { regionName } from '#contract/language.ts';

/**
 * Returns the name of a country: 'India' for 'IN', 'Unknown' for '', 'XX' and 'Unknown'. Cloudflare
 * uses 'T1' for the Tor network.
 */
export function countryName(country: string): string {
  if (country === '' || country === 'XX' || country === 'Unknown') return 'Unknown';
  if (country === 'T1') return 'Tor network';
  return /^[A-Z]{2}$/.test(country) ? regionName(country) : country;
}
