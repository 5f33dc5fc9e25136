import { cardPicturePath, type LinkCard } from '#contract/link-card.ts';
import { publishLater } from '#worker/events/publish-later.ts';
import type { RequestContext } from '#worker/http/context.ts';
import type { Origins } from '#worker/http/origins.ts';
import { linkError } from '#worker/links/write/link-errors.ts';
import type { CardResult, StoredCard } from './change-card.ts';

/** A card as the APIs show it. */
export const showCard = (origins: Origins, card: StoredCard): LinkCard => ({
  title: card.title,
  description: card.description,
  image: card.image === '' ? null : origins.app + cardPicturePath(card.image),
  updatedAt: new Date(card.at).toISOString(),
});

/** The card after a change, which is published after the response. Throws why it failed. */
export function publishCard(
  { env, origins, now, waitUntil }: RequestContext,
  result: CardResult,
): LinkCard | null {
  if (!result.ok) throw linkError(result, now);
  waitUntil(publishLater(env, [result.id], now));
  return result.card === null ? null : showCard(origins, result.card);
}
