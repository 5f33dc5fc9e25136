import type { ListedLink } from '#contract/links/links.ts';
import { formatDate } from '#web/shared/texts/format.ts';

const isAfter = (time: string, now: number): boolean => new Date(time).getTime() > now;

export const hasEnded = ({ expires_at: end }: ListedLink, now: number): boolean =>
  end !== null && !isAfter(end, now);

/** 'Starts Dec 18, 2026', 'Until Dec 19, 2026', or '' for a link without either. */
export function describeDates(link: ListedLink, now: number): string {
  const { starts_at: start, expires_at: end } = link;
  if (link.status === 'disabled' || hasEnded(link, now)) return '';
  if (start !== null && isAfter(start, now)) return `Starts ${formatDate(start)}`;
  return end === null ? '' : `Until ${formatDate(end)}`;
}
