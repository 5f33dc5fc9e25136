import type { V1Link } from '#contract/v1.ts';
import { fromStoredRule } from '#worker/links/forward-params.ts';
import { toLinkJson } from '#worker/links/link-json.ts';
import type { OwnLink } from '#worker/links/own-link.ts';

/** A link, as every answer of this API has it. */
export const toV1Link = (link: OwnLink, shortOrigin: string, now: number): V1Link => ({
  ...toLinkJson(link, shortOrigin, now),
  clicks: link.clicks,
  importedClicks: link.importedClicks,
  title: link.title,
  note: link.note,
  tags: link.tags.map(({ name }) => name),
  favorite: link.favorite,
  archived: link.archived,
  forwardParams: fromStoredRule(link.forwardParams),
});
