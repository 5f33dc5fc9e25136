import { cardPicturePath, type LinkCard } from '#contract/links/link-card.ts';
import type { StoredCard } from '#worker/db/link-card.ts';

/** A card as the APIs show it. Pictures are served by the application's host. */
export const showCard = (
  card: StoredCard | null,
  { app }: Readonly<{ app: string }>,
): LinkCard | null =>
  card === null
    ? null
    : {
        title: card.title,
        description: card.description,
        image: card.image === '' ? null : app + cardPicturePath(card.image),
        updatedAt: new Date(card.at).toISOString(),
      };
