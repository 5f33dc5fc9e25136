import { SITE_NAME } from '#contract/site.ts';

export type MailSender = { email: string; name: string };

/**
 * Parses MAIL_FROM: an address, or a name and an address as in `Hop <hop@example.com>`. The
 * platform takes the two as separate members
 * (https://developers.cloudflare.com/email-service/api/send-emails/workers-api/). Returns null if
 * it is neither.
 */
export function parseSender(text: string): MailSender | null {
  const [, quoted = '', plain = '', bracketed, bare] =
    /^(?:(?:"([^"<>]*)"|([^"<>]*?))\s*<([^<>]+)>|([^<>]+))$/.exec(text.trim()) ?? [];
  const email = (bracketed ?? bare ?? '').trim();
  if (!/^[^\s@",:;<>]+@[^\s@",:;<>.]+(\.[^\s@",:;<>.]+)+$/.test(email)) return null;
  return { email, name: (quoted || plain).trim() || SITE_NAME };
}
