import { dateFormat, formatNumber, plural } from '#contract/language.ts';
import { SITE_NAME } from '#contract/site.ts';
import { DAY_MS } from '#contract/time.ts';
import type { MailText } from './texts.ts';

const formatDay = dateFormat({ month: 'short', day: 'numeric', timeZone: 'UTC' });

const REASONS = {
  ended: 'its end date has passed.',
  owner: 'you disabled it.',
  moderation: 'it was disabled. My URLs has the reason.',
} as const;

/** `before` figures are those of the week before. A `name` is a short URL without its protocol. */
type WeeklyMailFacts = {
  /** The first and last day, in days since 1970. */
  days: readonly [first: number, last: number];
  clicks: number;
  clicksBefore: number;
  visitors: number;
  top: readonly { name: string; clicks: number; clicksBefore: number }[];
  stopped: readonly { name: string; reason: keyof typeof REASONS }[];
  /** True if `stopped` does not list all links that have stopped. */
  hasMoreStopped: boolean;
  unsubscribeLink: string;
};

/** The text of the weekly mail. Lists without lines are left out. */
export function weeklyMailText(facts: WeeklyMailFacts): MailText {
  const [first, last] = facts.days.map((day) => formatDay(day * DAY_MS));
  const clicks = plural(facts.clicks, 'click');
  const top = facts.top.map(
    (link) =>
      `${link.name}: ${plural(link.clicks, 'click')}${change(link.clicks, link.clicksBefore)}`,
  );
  const stopped = facts.stopped.map(({ name, reason }) => `${name}: ${REASONS[reason]}`);
  if (facts.hasMoreStopped) stopped.push('and more, which My URLs lists.');
  return {
    subject: `${clicks} on your ${SITE_NAME} links last week`,
    title: `Your links, ${first} to ${last}`,
    lead: `${clicks} by ${plural(facts.visitors, 'visitor')}${change(facts.clicks, facts.clicksBefore)}. The week before had ${plural(facts.clicksBefore, 'click')}. Days are UTC.`,
    button: 'Open the overview',
    footer: `You get this email on Mondays because you asked for it in the settings of ${SITE_NAME}.`,
    sections: [
      { title: 'Most clicked links', lines: top },
      { title: 'Links that stopped working', lines: stopped },
    ].filter(({ lines }) => lines.length > 0),
    footerLink: { text: 'Stop the weekly email', link: facts.unsubscribeLink },
  };
}

/** ', up 25%'. Empty if there were no clicks before. */
function change(now: number, before: number): string {
  if (before === 0) return '';
  if (now === before) return ', as many as the week before';
  const percent = Math.round((Math.abs(now - before) / before) * 100);
  return `, ${now > before ? 'up' : 'down'} ${percent === 0 ? 'less than 1' : formatNumber(percent)}%`;
}
