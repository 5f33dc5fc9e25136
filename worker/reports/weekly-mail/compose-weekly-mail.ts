import type { Origins } from '#worker/http/origins.ts';
import { shortUrlOf } from '#worker/http/short-url.ts';
import { composeMail, type Mail } from '#worker/mail/compose.ts';
import { weeklyMailText } from '#worker/mail/weekly-mail-text.ts';
import { STOPPED_MAX, type WeeklyReport } from './weekly-report.ts';

/** The origins of the addresses in a mail and of short URLs, and the unsubscribe token. */
export type WeeklyMailLinks = Origins & { token: string };

export function composeWeeklyMail(
  to: string,
  report: WeeklyReport,
  { app, token, ...origins }: WeeklyMailLinks,
): Mail {
  const withName = <Link extends { code: string }>(link: Link) =>
    Object.assign(link, { name: shortUrlOf(origins, link.code).replace(/^https?:\/\//, '') });
  const text = weeklyMailText({
    ...report,
    top: report.top.map(withName),
    stopped: report.stopped.slice(0, STOPPED_MAX).map(withName),
    hasMoreStopped: report.stopped.length > STOPPED_MAX,
    unsubscribeLink: `${app}/unsubscribe#${token}`,
  });
  const oneClick = `${app}/api/weekly-mail/unsubscribe?token=${encodeURIComponent(token)}`;
  return {
    ...composeMail(to, text, `${app}/analytics?range=7d`),
    // Mail programs show an unsubscribe button, which sends a POST (RFC 8058).
    headers: {
      'List-Unsubscribe': `<${oneClick}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}
