import { LINK_CHANGES_MAX, TARGET_CHANGES_KEPT } from '#contract/limits.ts';
import { pastStatus } from '#contract/links/past-status.ts';
import { linkChangeRecord, linkHistory, linkState } from '#contract/v1/v1-history.ts';
import { EXAMPLE_LINK, SHOWN_TEXTS } from './link-shapes.ts';
import { describeAnswer, describeValue, type NamedSchema } from './shape.ts';

/** The OpenAPI schemas of the history of a link. */

const EXAMPLE = linkState.parse({ ...EXAMPLE_LINK, cardUpdatedAt: null });

export const HISTORY_SHAPES: readonly NamedSchema[] = [
  describeValue(
    'PastStatus',
    pastStatus,
    'Whether a link redirected at a time. A link that had ended is `active` here.',
  ),
  describeAnswer('LinkState', linkState, 'What a link was like at a time.', {
    ...SHOWN_TEXTS,
    code: 'Its code at that time.',
    domain: 'The domain of that code; empty for the deployment’s own short host.',
    url: 'Where it led.',
    status: 'Whether it redirected.',
    cardUpdatedAt: 'When its preview card had last changed; null for no card.',
    tags: 'The names of its tags, without those that have been deleted since.',
  }),
  describeAnswer('LinkChange', linkChangeRecord, 'A change of a link.', {
    at: 'When it was made.',
    keyName:
      'The name of the API key that made it; null for the website, and always null for a key with a code prefix.',
    byWatcher:
      'True for a change that nobody made: the destination stopped working and the link got its fallback, or it works again.',
    passwordReplaced:
      'True if another password replaced one: both states have `hasPassword: true`.',
    before: 'The link before the change.',
    after: 'The link after the change.',
  }),
  describeAnswer(
    'LinkHistory',
    linkHistory,
    'The changes of a link.',
    {
      data: `The last ${LINK_CHANGES_MAX} changes, and the first and last ${TARGET_CHANGES_KEPT} of the destination, the latest first.`,
    },
    {
      data: [
        {
          at: '2027-02-01T08:30:00.000Z',
          keyName: 'CI',
          byWatcher: false,
          passwordReplaced: false,
          before: { ...EXAMPLE, status: 'disabled' },
          after: { ...EXAMPLE, status: 'active' },
        },
      ],
    },
  ),
];
