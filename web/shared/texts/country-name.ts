import { regionName } from '#contract/language.ts';

/** Returns the name of a country: 'India' for 'IN', 'Unknown' for '', 'XX' and 'Unknown'. */
export function countryName(country: string): string {
  if (country === '' || country === 'XX' || country === 'Unknown') return 'Unknown';
  return /^(?:[A-Z]{2}|T1)$/.test(country) ? regionName(country) : country;
}
