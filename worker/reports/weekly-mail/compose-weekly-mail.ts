import { dateFormat, formatNumber, plural } from '#contract/language.ts';
import { shortUrlOf } from '#contract/link-key.ts';
import { SITE_NAME } from '#contract/site.ts';
import { DAY_MS } from '#contract/time.ts';
import { composeMail, type Mail } from '#worker/mail/compose.ts';
import type { StoppedLink } from './store.ts';
import { STOPPED_MAX, type WeeklyReport } from './weekly-report.ts';

const day = dateFormat({ month: 'short', day: 'numeric', timeZone: 'UTC' });

/** The origins of the addresses in a mail and of short URLs, and the unsubscribe token. */
export type WeeklyMailLinks = { app: string; short: string; token: string };

export function composeWeeklyMail(
  to: string,
  report: WeeklyReport,
  { app, short, token }: WeeklyMailLinks,
): Mail {
  const [first, last] = report.days.map((one) => day(one * DAY_MS));
  const nameOf = (code: string): string => shortUrlOf(short, code).replace(/^https?:\/\//, '');
  const clicks = plural(report.clicks, 'click');
  const sections = [
    {
      title: 'Most clicked links',
      lines: report.top.map(
        ({ code, clicks: n, clicksBefore }) =>
          `${nameOf(code)}: ${plural(n, 'click')}${change(n, clicksBefore)}`,
      ),
    },
    {
      title: 'Links that stopped working',
      lines: report.stopped
        .slice(0, STOPPED_MAX)
        .map(({ code, reason }) => `${nameOf(code)}: ${REASONS[reason]}`)
        .concat(report.stopped.length > STOPPED_MAX ? ['and more, which My URLs lists.'] : []),
    },
  ].filter(({ lines }) => lines.length > 0);
  const content = {
    subject: `${clicks} on your ${SITE_NAME} links last week`,
    title: `Your links, ${first} to ${last}`,
    lead: `${clicks} by ${plural(report.visitors, 'visitor')}${change(report.clicks, report.clicksBefore)}. The week before had ${plural(report.clicksBefore, 'click')}. Days are UTC.`,
    button: 'Open the overview',
    footer: `You get this email on Mondays because you asked for it in the settings of ${SITE_NAME}.`,
    sections,
    footerLink: { text: 'Stop the weekly email', link: `${app}/unsubscribe#${token}` },
  };
  const oneClick = `${app}/api/weekly-mail/unsubscribe?token=${encodeURIComponent(token)}`;
  return {
    ...composeMail(to, content, `${app}/analytics?range=7d`),
    // Mail programs show an unsubscribe button, which sends a POST (RFC 8058).
    headers: {
      'List-Unsubscribe': `<${oneClick}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

const REASONS: Readonly<Record<StoppedLink['reason'], string>> = {
  ended: 'its end date has passed.',
  owner: 'you disabled it.',
  moderation: 'it was disabled. My URLs has the reason.',
};

/** ', up 25%'. Empty if there were no clicks before. */
function change(now: number, before: number): string {
  if (before === 0 || now === before) return before === 0 ? '' : ', as many as the week before';
  const percent = Math.round((Math.abs(now - before) / before) * 100);
  return `, ${now > before ? 'up' : 'down'} ${percent === 0 ? 'less than 1' : formatNumber(percent)}%`;
}
