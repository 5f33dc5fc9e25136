/**
 * The URL in QR codes of a short link. Its parameter distinguishes scans from clicks, and is never
 * added to the target.
 */
export const scanUrl = (shortUrl: string): string => `${shortUrl}?qr=1`;
