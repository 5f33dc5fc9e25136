/**
 * The URL that QR codes of a short link lead to. The parameter tells scans from clicks. It never
 * becomes part of the target.
 */
export const scanUrl = (shortUrl: string): string => `${shortUrl}?qr=1`;
