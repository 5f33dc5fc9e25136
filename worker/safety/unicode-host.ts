import { domainToUnicode } from 'node:url';

/**
 * Converts a parsed host name to Unicode for checks only; `displayHost` decides what people see. An
 * invalid `xn--` label is not converted.
 */
export const unicodeHost = (host: string): string => domainToUnicode(host);

export const hasInvalidPunycode = (host: string): boolean => /(^|\.)xn--/.test(unicodeHost(host));
