import { cardInput, linkCard } from '#contract/links/link-card.ts';
import { BODY, type Operation } from './operation.ts';

export const cardOperations: Readonly<Record<string, Operation>> = {
  'PUT /api/v1/links/:id/card': {
    id: 'setLinkCard',
    summary: 'Set the preview card of a link',
    description:
      'What chats and social networks show for the link. They always show the host of the destination with it.',
    body: {
      schema: cardInput,
      example: { title: 'Summer sale', description: 'Until the end of August.' },
    },
    answer: { status: 200, content: linkCard, description: 'The card as it is now.' },
    errors: [...BODY, 'not_found', 'conflict'],
  },
  'GET /api/v1/links/:id/card': {
    id: 'getLinkCard',
    summary: 'Get the preview card of a link',
    answer: { status: 200, content: linkCard, description: 'The card.' },
    errors: ['not_found'],
  },
  'DELETE /api/v1/links/:id/card': {
    id: 'deleteLinkCard',
    summary: 'Remove the preview card of a link',
    description: 'Chats and social networks follow the link again and show its destination.',
    answer: { status: 204, content: null, description: 'The link has no card.' },
    errors: ['not_found', 'conflict'],
  },
};
