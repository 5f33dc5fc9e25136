import type { NamesGivenBy } from '#contract/links/link-settings.ts';
import type { ShortenRequest } from '#contract/links/links.ts';

/** A new link as its form holds it. */
export type TypedDraft = {
  longUrl: string;
  alias: string;
  /** The host that was chosen; undefined for the member's default domain. */
  domain?: string;
  tags: readonly string[];
  settings: Pick<ShortenRequest, NamesGivenBy<'page'>>;
};

export const EMPTY_DRAFT: TypedDraft = { longUrl: '', alias: '', tags: [], settings: {} };

/** Returns the request that creates the link, without empty members. */
export const toShortenRequest = ({
  longUrl,
  alias,
  domain,
  tags,
  settings,
}: TypedDraft): ShortenRequest => ({
  longUrl: longUrl.trim(),
  ...(alias !== '' && { customCode: alias }),
  ...(domain !== undefined && { domain }),
  ...(tags.length > 0 && { tags: [...tags] }),
  ...settings,
});
