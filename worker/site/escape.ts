import { escapeHtml } from '#worker/html.ts';

/**
 * `escapeHtml` for XML 1.0. Removes control characters, unpaired surrogates, U+FFFE and U+FFFF,
 * which XML cannot contain.
 */
export const escapeXml = (text: string): string =>
  escapeHtml(text.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, ''));

/**
 * JSON that is safe inside `<script type="application/json">`. Without '<' it cannot contain an end
 * tag or a comment.
 */
export const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
