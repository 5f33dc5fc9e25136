import type { ListedLink } from '#contract/links/links.ts';
import type { TagColor } from '#contract/links/tags.ts';
import { splitHost } from '#web/shared/texts/format.ts';

/** In forced colors the circle has the colors of the system. */
const TINTS: Readonly<Record<TagColor, string>> = {
  gray: 'border-line bg-ink/4 text-ink',
  blue: 'border-chart-1/40 bg-chart-1/12 text-ink',
  green: 'border-chart-2/40 bg-chart-2/12 text-ink',
  amber: 'border-chart-3/40 bg-chart-3/12 text-ink',
  red: 'border-bad/40 bg-bad/12 text-ink',
  purple: 'border-chart-4/40 bg-chart-4/12 text-ink',
};
const OF_HOSTS: readonly TagColor[] = ['blue', 'green', 'amber', 'purple'];

/**
 * Returns the class names of a link's circle: in the color of its first tag, else in one that all
 * links to the same host share.
 */
export function avatarTint({ tags, long_url: target }: ListedLink): string {
  const [tag] = tags;
  if (tag !== undefined) return TINTS[tag.color];
  const host = splitHost(target).host.replace(/^www\./, '');
  let sum = 0;
  for (let at = 0; at < host.length; at++) sum = (31 * sum + host.charCodeAt(at)) % 65_521;
  return TINTS[OF_HOSTS[sum % OF_HOSTS.length] ?? 'gray'];
}
