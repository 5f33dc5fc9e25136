import * as z from 'zod/mini';
import { oneLine } from '#contract/common-schemas.ts';
import {
  CARD_DESCRIPTION_MAX,
  CARD_PICTURE_MAX_BYTES,
  CARD_TITLE_MAX,
  CARD_WIDTH,
  CARD_HEIGHT,
} from '#contract/limits.ts';

/**
 * The card that chats and social networks show instead of the destination's own one
 * (docs/decisions.md#d69).
 */

/** The picture's media type, and how its file is called. */
export const CARD_PICTURE_TYPES = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
} as const;
export type CardPictureType = keyof typeof CARD_PICTURE_TYPES;

const title = oneLine('The title of a card', CARD_TITLE_MAX).check(
  z.minLength(1, 'Enter a title for the card.'),
);

const description = oneLine('The description of a card', CARD_DESCRIPTION_MAX);

export const PICTURE_TEXT = `The picture must be a JPEG, PNG or WebP image of ${CARD_WIDTH} × ${CARD_HEIGHT} pixels, as a data: URL in base64, with at most ${CARD_PICTURE_MAX_BYTES / 1024} KB.`;

/** The Worker reads the picture's own header as well. */
const image = z
  .string(PICTURE_TEXT)
  .check(z.regex(/^data:image\/(?:jpeg|png|webp);base64,[A-Za-z0-9+/]+={0,2}$/, PICTURE_TEXT));

/**
 * PUT /api/links/:code/card and PUT /api/v1/links/:id/card. Without `image` the picture stays;
 * null removes it.
 */
export const cardInput = z.strictObject({
  title,
  description: z.optional(description),
  image: z.optional(z.nullable(image)),
});
export type CardInput = z.infer<typeof cardInput>;

/** The card of a link in answers. */
export const linkCard = z.object({
  title: z.string(),
  /** '' for none. */
  description: z.string(),
  /** The address of the picture, which names its content and never changes; null for none. */
  image: z.nullable(z.url()),
  updatedAt: z.iso.datetime(),
});
export type LinkCard = z.infer<typeof linkCard>;

/** GET, PUT and DELETE /api/links/:code/card: the card as it is now; null if there is none. */
export type LinkCardResponse = { card: LinkCard | null };

/** The path of a picture. Its name is the SHA-256 of its bytes, and its type. */
export const cardPicturePath = (name: string): string => `/api/card-pictures/${name}`;
