import type { LinkKey } from '#contract/codes/link-key.ts';
import {
  SETTING_NAMES,
  type HistoryName,
  type LinkSettings,
} from '#contract/links/link-settings.ts';
import type { FormerLink } from '#worker/edge/former-link.ts';
import type { OwnLink } from '#worker/links/read/own-link.ts';
import { wordsOfLink } from '#worker/links/words/words.ts';
import { pickSettings } from '#worker/links/settings/link-settings.ts';
import { chosenKey, type LinkDraft } from './link-draft.ts';

/** A link to insert. Times in ms. */
export type NewLink = LinkSettings & {
  code: LinkKey;
  isAlias: boolean;
  target: string;
  targetHost: string;
  userId: string | null;
  externalId: string | null;
  enabled: boolean;
  /** The search words; null for a link without an owner, because no list contains it. */
  words: readonly string[] | null;
} & NewLinkFacts;

/** The fields of a new link that come from neither its draft nor its owner or code. */
type NewLinkFacts = {
  /** The index in the request that creates the link, or the line in the imported file. */
  item: number;
  tagIds: readonly number[];
  /** When to check the target's reputation again, in ms; null for never. */
  recheckAt: number | null;
  /**
   * The hash of the token with which a member can claim the link (claim-links.ts); null for a link
   * that has an owner.
   */
  claimHash?: string | null;
  /** The deleted link of the same owner whose code this link takes over. */
  former?: FormerLink | null;
  /**
   * Only for imported links: the key of their row, and what the previous service knew about them.
   */
  imported?: {
    key: string;
    from: string;
    clicks: number | null;
    /** True if the row has a code, so that it does not count as a new link. */
    isMoved: boolean;
    createdAt: number;
    at: number;
    /** Other codes that lead to the link, the latest first. */
    earlierCodes: readonly string[];
    history: readonly ImportedState[];
  } & Pick<OwnLink, 'status' | 'disabledBy'>;
};

/** A state that a change replaced at `at`, before the link was imported. */
export type ImportedState = Pick<LinkSettings, HistoryName> &
  Pick<OwnLink, 'code' | 'target' | 'status'> & { at: number; tagIds: readonly number[] };

export function toNewLink(
  draft: LinkDraft,
  { userId, code, ...facts }: NewLinkFacts & { userId: string | null; code: string },
): NewLink {
  const { href: target, host: targetHost } = draft.target;
  const { title, note } = draft;
  return {
    ...pickSettings(draft, SETTING_NAMES),
    ...facts,
    code,
    isAlias: code === chosenKey(draft),
    target,
    targetHost,
    userId,
    externalId: draft.externalId,
    enabled: draft.enabled !== false,
    words: userId === null ? null : wordsOfLink({ code, title, target, targetHost, note }),
  };
}
