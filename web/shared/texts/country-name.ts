import { regionName } from '#contract/language.ts';

/** Returns the name of a country: 'India' for 'IN', 'Unknown' for '', 'XX' and 'Unknown'. */
export function countryName(country: string): string {
  if (country === '' || country === 'XX' || country === 'Unknown') return 'Unknown';
  return regionName(country);
}
