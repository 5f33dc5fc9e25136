import { CLICK_LIMIT_MAX, EARLIER_CODES_MAX } from '#contract/limits.ts';
import { formatNumber, plural } from '#contract/language.ts';

/** What imported links lose, and what happens to them. */
export const LOSSES = {
  password: 'Password that the file does not contain: these links are imported disabled',
  usedUp: 'Limit of clicks that is reached: these links are imported disabled',
  unknownState: 'State that Hop doesn’t know: these links are imported disabled',
  clickLimit: `Limit of clicks above ${formatNumber(CLICK_LIMIT_MAX)}: it becomes that number`,
  rules: 'Rules that Hop can’t read, such as split tests: only the main destination is kept',
  cloaking: 'Destination hidden behind the short URL: Hop redirects to it instead',
  preview: 'Title, text or picture for social networks: not kept',
  createdAt: 'Creation date that can’t be read: these links get the day of the import',
  clicks: 'Number of clicks that can’t be read: not kept',
  cutText: 'Title or note that is too long: cut',
  tags: 'Tags that are too long or too many: cut or left out',
  earlierCodes: `Earlier codes beyond ${EARLIER_CODES_MAX}: not kept`,
  history: 'History that is too long, or can’t be read: the latest changes are kept',
} as const;
export type LossKind = keyof typeof LOSSES;

/** A kind of loss, or a field that is not imported, with the number of its links. */
export type Loss = { text: string; links: number };

/** Returns one line for each kind of loss, with the number of links that are imported with it. */
export function lossesOf(
  rows: readonly { losses?: LossKind[]; problem?: string }[],
  unread: readonly { name: string; links: number }[],
): Loss[] {
  const counts = new Map<LossKind, number>();
  for (const { losses = [], problem } of rows)
    if (problem === undefined)
      for (const kind of losses) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const isKind = (name: string): name is LossKind => Object.hasOwn(LOSSES, name);
  const kinds = Object.keys(LOSSES)
    .filter(isKind)
    .flatMap((kind) => {
      const links = counts.get(kind);
      return links === undefined ? [] : [{ text: LOSSES[kind], links }];
    });
  const fields = unread.map(({ name, links }) => ({ text: `Field “${name}”: not kept`, links }));
  return [...kinds, ...fields];
}

/** The line of a loss as it is shown: `Limit of clicks: … (3 links)`. */
export const describeLoss = ({ text, links }: Loss): string => `${text} (${plural(links, 'link')})`;
