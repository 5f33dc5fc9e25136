import { tagInputV1, tagListV1, tagMergeV1, tagPatchV1, tagV1 } from '#contract/v1/v1-tags.ts';
import { BODY, type Operation } from './operation.ts';

const PREFIX = 'Tags belong to the account, so this needs a key without a code prefix.';

export const tagOperations: Readonly<Record<string, Operation>> = {
  'POST /api/v1/tags': {
    id: 'createTag',
    summary: 'Create a tag',
    description: PREFIX,
    body: { schema: tagInputV1, example: { name: 'campaigns', color: 'blue' } },
    answer: { status: 201, content: tagV1, description: 'The new tag.' },
    errors: [...BODY, 'conflict'],
  },
  'GET /api/v1/tags': {
    id: 'listTags',
    summary: 'List tags',
    description: PREFIX,
    answer: { status: 200, content: tagListV1, description: 'All tags, by name.' },
    errors: [],
  },
  'PATCH /api/v1/tags/:name': {
    id: 'updateTag',
    summary: 'Rename or recolor a tag',
    description: PREFIX,
    body: { schema: tagPatchV1, example: { color: 'green' } },
    answer: { status: 200, content: tagV1, description: 'The tag as it is now.' },
    errors: [...BODY, 'not_found', 'conflict'],
  },
  'POST /api/v1/tags/:name/merge': {
    id: 'mergeTag',
    summary: 'Replace a tag by another one',
    description: `The links of this tag get the tag \`into\`, and this tag is deleted. ${PREFIX}`,
    body: { schema: tagMergeV1, example: { into: 'sale' } },
    answer: { status: 200, content: tagV1, description: 'The tag `into`.' },
    errors: [...BODY, 'not_found'],
  },
  'DELETE /api/v1/tags/:name': {
    id: 'deleteTag',
    summary: 'Delete a tag',
    description: `Its links stay. ${PREFIX}`,
    answer: { status: 204, content: null, description: 'The tag is deleted.' },
    errors: ['not_found'],
  },
};
