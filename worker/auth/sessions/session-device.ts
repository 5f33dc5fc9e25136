import type { AuthContext } from '#worker/auth/service/context.ts';
import { createUserAgentParser } from '#worker/http/user-agent.ts';
import type { SessionRow } from '#worker/auth/service/store.ts';

const CONTROL = new RegExp(String.raw`\p{Cc}`, 'gu');

/**
 * Describes the device that started a session by names that its owner recognizes, without version,
 * model or address. The names are from the parser's lists, so a user agent cannot put its own text
 * into them.
 */
export function describeDevice({
  userAgent,
  country,
}: AuthContext): Pick<SessionRow, 'browser' | 'os' | 'country'> {
  // Control characters are replaced, because a leading one would mark the text as a condensed user
  // agent, which is not parsed again.
  const { browser, os } = createUserAgentParser()(userAgent.replaceAll(CONTROL, ' '));
  return {
    browser: nameOf(browser),
    os: nameOf(os),
    country: /^[A-Z][A-Z0-9]$/.test(country) && country !== 'XX' ? country : null,
  };
}

const nameOf = (name: string): string | null => (name === 'Other' ? null : name);
