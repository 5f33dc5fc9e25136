import { escapeHtml } from '#worker/html.ts';
/** As `escapeHtml`, without what XML 1.0 cannot hold at all: control characters, lone surrogates, U+FFFE and U+FFFF. */
export const escapeXml = (text: string): string =>
  escapeHtml(text.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, ''));

/** JSON that cannot leave a `<script type="application/json">`: no '<' means no end tag and no comment. */
export const scriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
