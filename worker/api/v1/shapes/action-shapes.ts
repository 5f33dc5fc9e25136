import { LINK_TITLE_MAX, TAGS_PER_LINK_MAX } from '#contract/limits.ts';
import { bulkInput, bulkResult, createdItem, rejectedItem } from '#contract/v1/v1.ts';
import {
  actionFailure,
  actionInput,
  actionResult,
  linkAction,
  linkFilter,
} from '#contract/v1/v1-actions.ts';
import { EXAMPLE_LINK, FILTERS } from './link-shapes.ts';
import { describeAnswer, describeRequest, describeValue, type NamedSchema } from './shape.ts';

/** The OpenAPI schemas of requests for many links. */

export const ACTION_SHAPES: readonly NamedSchema[] = [
  describeRequest('BulkInput', bulkInput, 'New links.', {
    links: 'The links to create. Each is created or rejected independently of the others.',
  }),
  describeAnswer('CreatedItem', createdItem, 'An item of a bulk request that is a link now.', {
    ok: 'True: the link exists.',
    link: 'The new link.',
  }),
  describeAnswer('RejectedItem', rejectedItem, 'An item of a bulk request that was rejected.', {
    ok: 'False: nothing was created.',
    code: 'The code of the error, as in a problem.',
    detail: 'What happened and what to do, as a sentence.',
    errors: 'The parts of the item that are wrong, where there are some.',
  }),
  describeAnswer(
    'BulkResult',
    bulkResult,
    'What became of each item.',
    {
      created: 'How many links were created.',
      failed: 'How many items were rejected.',
      results: 'The result of each item, in the order of the request.',
    },
    {
      created: 1,
      failed: 1,
      results: [
        { ok: true, link: EXAMPLE_LINK },
        {
          ok: false,
          code: 'invalid_body',
          detail: `The title can have at most ${LINK_TITLE_MAX} characters.`,
          errors: [
            {
              detail: `The title can have at most ${LINK_TITLE_MAX} characters.`,
              pointer: '/links/1/title',
            },
          ],
        },
      ],
    },
  ),
  describeValue('LinkActionName', linkAction, 'What is done to each link.'),
  describeRequest('LinkFilter', linkFilter, 'Selects links; at least one member.', {
    ...FILTERS,
    archived: `${FILTERS.archived} False if absent.`,
  }),
  describeRequest('LinkAction', actionInput, 'One action, and the links it is for.', {
    action: 'What is done to each link.',
    ids: 'The ids of the links, instead of `filter`.',
    filter:
      'Selects the links, instead of `ids`. For `restore` it selects deleted ones, by `tag`, `host`, `favorite`, `createdAfter` and `createdBefore` only.',
    tags: `The names of 1 to ${TAGS_PER_LINK_MAX} tags. For \`add_tags\` and \`remove_tags\`, which need it.`,
    expiresAt: 'When the links stop; null for never. For `set_end`, which needs it.',
    watch: 'Whether the destinations are checked. For `set_watch`, which needs it.',
    dryRun: 'Whether to count the links in `matched` only, and to change nothing.',
    expectedCount:
      'Required with `filter`: `matched` of a dry run. If the filter matches another number of links by now, nothing is changed (409).',
  }),
  describeAnswer('ActionFailure', actionFailure, 'A link that was not changed.', {
    id: 'The id of the link.',
    code: 'The code of the error, as in a problem.',
    detail: 'What happened and what to do, as a sentence.',
  }),
  describeAnswer(
    'ActionResult',
    actionResult,
    'What became of the links.',
    {
      action: 'The action of the request.',
      dryRun: 'Whether nothing was changed because the request asked for a dry run.',
      matched: 'How many links the filter selects, or how many different ids there were.',
      changed: 'How many links are as wanted now, also those that were before.',
      failed: 'How many links were not changed.',
      failures: 'The links that were not changed, with the reason.',
    },
    {
      action: 'archive',
      dryRun: false,
      matched: 12,
      changed: 11,
      failed: 1,
      failures: [
        {
          id: 'lnk_7cfjgEYp0Sa0YBLen3iIh1',
          code: 'conflict',
          detail: 'The link was changed at the same time.',
        },
      ],
    },
  ),
];
