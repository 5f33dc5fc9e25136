import { SETTING_NAMES, type LinkSettings } from '#contract/link-settings.ts';
import type { FormerLink } from '#worker/edge/former-link.ts';
import type { OwnLink } from '#worker/links/read/own-link.ts';
import { wordsOfLink } from '#worker/links/words/words.ts';
import { pickSettings } from '#worker/links/settings/link-settings.ts';
import type { LinkDraft } from './link-draft.ts';

/** A link to insert. Times in ms. */
export type NewLink = LinkSettings & {
  code: string;
  isAlias: boolean;
  target: string;
  targetHost: string;
  userId: string | null;
  externalId: string | null;
  /** Null for a link without an owner, which is in no list. */
  words: readonly string[] | null;
} & LinkFacts;

/** What a new link has besides its draft, its owner and its code. */
type LinkFacts = {
  /** Its index in the request that creates it, or its line in the file that it is imported from. */
  item: number;
  tagIds: readonly number[];
  /** When to check the target's reputation again; null = never. */
  recheckAt: number | null;
  /**
   * The hash of the token that puts the link into an account later; null for a link that has an
   * owner.
   */
  claimHash?: string | null;
  /** The deleted link of the same owner that gives its code to this one. */
  former?: FormerLink | null;
  /** Only for links that are imported: their row, and what the former service knows about them. */
  imported?: {
    key: string;
    from: string;
    clicks: number | null;
    createdAt: number;
    at: number;
  } & Pick<OwnLink, 'status' | 'disabledBy'>;
};

/** The link that a draft becomes under a code. */
export function toNewLink(
  draft: LinkDraft,
  { userId, code, ...facts }: LinkFacts & { userId: string | null; code: string },
): NewLink {
  const target = draft.target.href;
  const { title, note } = draft;
  return {
    ...pickSettings(draft, SETTING_NAMES),
    ...facts,
    code,
    isAlias: code === draft.code,
    target,
    targetHost: draft.target.host,
    userId,
    externalId: draft.externalId,
    words: userId === null ? null : wordsOfLink({ code, title, target, note }),
  };
}
