import { me, planType, scope } from '#contract/v1/v1.ts';
import { v1Code, problem, problemPart } from '#contract/v1/v1-problem.ts';
import { tagColor } from '#contract/links/tags.ts';
import {
  tagInputV1,
  tagListV1,
  tagMergeV1,
  tagPatchV1,
  tagV1,
  type V1Tag,
} from '#contract/v1/v1-tags.ts';
import { describeAnswer, describeRequest, describeValue, type NamedSchema } from './shape.ts';

/** The OpenAPI schemas of tags, the account and errors. */

const EXAMPLE_TAG: V1Tag = { name: 'sale', color: 'blue', links: 12 };
const TAG_NAME = 'The name, unique in the account in any case; no commas.';
const COLOR = 'The color that pages show the tag in.';

export const ACCOUNT_SHAPES: readonly NamedSchema[] = [
  describeValue('TagColor', tagColor, 'A color of a tag.'),
  describeAnswer(
    'Tag',
    tagV1,
    'A tag.',
    { name: TAG_NAME, color: COLOR, links: 'Links with this tag that are not deleted.' },
    EXAMPLE_TAG,
  ),
  describeAnswer(
    'TagList',
    tagListV1,
    'All tags of the account.',
    { data: 'The tags, by name.' },
    { data: [EXAMPLE_TAG] },
  ),
  describeRequest('TagInput', tagInputV1, 'A new tag.', {
    name: TAG_NAME,
    color: `${COLOR} If absent, the one that the fewest tags have.`,
  }),
  describeRequest('TagPatch', tagPatchV1, 'What changes. Absent members keep their value.', {
    name: `A new name. ${TAG_NAME}`,
    color: COLOR,
  }),
  describeRequest('TagMerge', tagMergeV1, 'The tag that replaces this one.', {
    into: 'The name of the tag that the links get instead.',
  }),
  describeValue('Plan', planType, 'A plan.'),
  describeValue('Scope', scope, 'One kind of thing that a key may do.'),
  describeAnswer('Quota', me.shape.quota, 'How many links the plan allows in its current month.', {
    limit: 'Links that can be created in a month of the plan.',
    used: 'Links that were created in this one.',
    remaining: 'Links that can still be created in this one.',
    resetsAt: 'When the next month of the plan starts.',
  }),
  describeAnswer('Limits', me.shape.limits, 'What one request or one minute may contain.', {
    requestsPerMinute: 'Requests of this key in a minute.',
    linksPerBulkRequest: 'Items of a bulk request; 0 if the plan has none.',
    linksPerPage: 'Links on a page of a list.',
  }),
  describeAnswer('KeyInfo', me.shape.key, 'The key of this request.', {
    id: 'The id of the key.',
    name: 'The name that its owner gave it.',
    scopes: 'What the key may do.',
    codePrefix:
      'With what the codes of this key start; it sees no other links. Null for a key without a prefix.',
    expiresAt: 'When the key stops working; null for never.',
  }),
  describeAnswer(
    'Me',
    me,
    'The key, and what its owner may do.',
    {
      plan: 'The plan of the owner.',
      quota: 'The links of this month.',
      limits: 'The limits of requests.',
      key: 'The key of this request.',
    },
    {
      plan: 'premium',
      quota: { limit: 1000, used: 40, remaining: 960, resetsAt: '2027-02-12T00:00:00.000Z' },
      limits: { requestsPerMinute: 600, linksPerBulkRequest: 1000, linksPerPage: 100 },
      key: {
        id: 'f2f7b0a4-6c43-4b6f-9e5e-0d6c8f3f2a11',
        name: 'Deploy',
        scopes: ['links:read', 'links:write'],
        codePrefix: null,
        expiresAt: null,
      },
    },
  ),
  describeValue('ErrorCode', v1Code, 'A stable name of an error, for programs.'),
  describeAnswer('ProblemPart', problemPart, 'One part of the request that is wrong.', {
    detail: 'What is wrong, as a sentence.',
    pointer: 'For the body: where it is, as a JSON pointer (RFC 6901).',
    parameter: 'For the query: the name of the parameter.',
    header: 'For a header: its name.',
  }),
  describeAnswer('Problem', problem, 'An error (RFC 9457). Programs read `code`.', {
    type: 'A page that explains the error.',
    title: 'What kind of error it is.',
    status: 'The status of the answer.',
    detail: 'What happened and what to do, as a sentence.',
    code: 'The stable name of the error.',
    requestId: 'The id of the request, also in the header `X-Request-Id`. Tell it to support.',
    errors: 'The parts of the request that are wrong, where there are some.',
    upgradeRequired:
      'Only with `quota_reached` and `rate_limited`: whether a bigger plan would help.',
  }),
];
