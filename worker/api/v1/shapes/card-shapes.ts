import { cardInput, linkCard } from '#contract/links/link-card.ts';
import {
  CARD_DESCRIPTION_MAX,
  CARD_HEIGHT,
  CARD_PICTURE_MAX_BYTES,
  CARD_TITLE_MAX,
  CARD_WIDTH,
} from '#contract/limits.ts';
import { describeAnswer, describeRequest, type NamedSchema } from './shape.ts';

/** The OpenAPI schemas of preview cards. */
export const CARD_SHAPES: readonly NamedSchema[] = [
  describeRequest('LinkCardInput', cardInput, 'The preview card of a link.', {
    title: `Its title, of at most ${CARD_TITLE_MAX} characters.`,
    description: `Its text, of at most ${CARD_DESCRIPTION_MAX} characters.`,
    image: `A JPEG, PNG or WebP image of ${CARD_WIDTH} × ${CARD_HEIGHT} pixels and at most ${CARD_PICTURE_MAX_BYTES / 1024} KB, as a \`data:\` URL in base64. Without this member the picture stays; null removes it.`,
  }),
  describeAnswer(
    'LinkCard',
    linkCard,
    'The preview card of a link, which chats and social networks show.',
    {
      title: 'Its title.',
      description: 'Its text, an empty text for none.',
      image: 'The address of its picture, which always has the same content; null for none.',
      updatedAt: 'When it last changed.',
    },
    {
      title: 'Summer sale',
      description: 'Until the end of August.',
      image:
        'https://hop.example/api/card-pictures/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.jpg',
      updatedAt: '2027-02-01T08:30:00.000Z',
    },
  ),
];
