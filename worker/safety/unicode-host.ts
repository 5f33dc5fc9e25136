import { domainToUnicode } from 'node:url';

/**
 * A parsed host name in Unicode, to be judged; people are shown `displayHost`. An invalid `xn--`
 * label stays as it is.
 */
export const unicodeHost = (host: string): string => domainToUnicode(host);

/** True if an `xn--` label of a parsed host name is not valid punycode. */
export const hasInvalidPunycode = (host: string): boolean => /(^|\.)xn--/.test(unicodeHost(host));
