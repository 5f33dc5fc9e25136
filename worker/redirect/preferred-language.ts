/** Longer headers are cut, because anyone can send one. */
const MAX_LENGTH = 500;

/**
 * Returns the language of an Accept-Language header that the visitor prefers most, in lower case: the
 * one of the highest quality, and of several the first (RFC 9110 §12.5.4). '' if there is none.
 */
export function preferredLanguage(header: string): string {
  let best = '';
  let bestQuality = 0;
  for (const part of header.slice(0, MAX_LENGTH).split(',')) {
    const [range = '', ...parameters] = part.split(';');
    const language = range.trim().toLowerCase();
    const quality = qualityOf(parameters);
    if (quality > bestQuality && /^[a-z]{1,8}(?:-[a-z\d]{1,8})*$/.test(language)) {
      best = language;
      bestQuality = quality;
    }
  }
  return best;
}

/** 1 without a quality, 0 for one that cannot be read. */
function qualityOf(parameters: readonly string[]): number {
  const given = parameters.map((text) => text.trim()).find((text) => /^q=/i.test(text));
  if (given === undefined) return 1;
  const quality = Number(given.slice(2));
  return quality >= 0 && quality <= 1 ? quality : 0;
}
