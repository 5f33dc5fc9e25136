/** The placeholder for the member's API key in recipes. */
export const KEY_STAND_IN = 'hop_live_YOUR_KEY';

/**
 * Returns a bookmark that opens Home of `origin` with the address of the current page. Nothing is
 * shortened before the visitor confirms.
 */
export const bookmarkletOf = (origin: string): string =>
  `javascript:void open('${origin}/?url='+encodeURIComponent(location.href))`;

export const curlToShorten = (origin: string): string =>
  `curl ${origin}/api/v1/links -H "Authorization: Bearer ${KEY_STAND_IN}" -H "Content-Type: application/json" -d '{"url":"https://example.com/a-long-address"}'`;

/**
 * Returns the file that ShareX imports as a URL shortener. Its format:
 * getsharex.com/docs/custom-uploader.
 */
export const shareXOf = (origin: string): string =>
  JSON.stringify(
    {
      Version: '15.0.0',
      Name: new URL(origin).host,
      DestinationType: 'URLShortener',
      RequestMethod: 'POST',
      RequestURL: `${origin}/api/v1/links`,
      Headers: { Authorization: `Bearer ${KEY_STAND_IN}` },
      Body: 'JSON',
      Data: '{"url":"{input}"}',
      URL: '{json:shortUrl}',
      ErrorMessage: '{json:detail}',
    },
    null,
    2,
  );
