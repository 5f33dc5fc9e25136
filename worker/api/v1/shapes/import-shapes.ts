import {
  EARLIER_CODES_MAX,
  IMPORT_CHECK_MAX,
  IMPORT_MAX,
  IMPORTED_CODE_MAX,
} from '#contract/limits.ts';
import { importFormat } from '#contract/files/import.ts';
import {
  type exportQuery,
  importCheckInput,
  importCheckResult,
  importCheckV1,
  importInput,
  importResult,
  importRowResult,
  importRowV1,
  stateV1,
} from '#contract/v1/v1-import.ts';
import { PASSWORD_TEXT, SETTING_TEXTS } from './link-shapes.ts';
import {
  describeAnswer,
  describeRequest,
  describeValue,
  type MemberTexts,
  type NamedSchema,
} from './shape.ts';

/** The OpenAPI schemas of imports and exports. */

export const EXPORT_TEXTS: MemberTexts<typeof exportQuery> = {
  format:
    '`csv` and `json` have everything; the others are the redirects of now, for web servers and other services.',
};

const FILE = {
  format:
    'The service that the links come from. It is part of what identifies a row. `csv` if absent: any other origin.',
  offset: 'How many rows of the file come before these; 0 if absent.',
};
const REASONS = {
  detail: 'Why the row is not imported, or not with its code, as a sentence.',
  errors: 'The members of the row that are not valid.',
};
const CHECK_EXAMPLE = {
  quotaRemaining: 960,
  importAllowance: 10_000,
  results: [{ verdict: 'new' as const, code: 'spring-2024', suffixedCode: null, losses: [] }],
};

export const IMPORT_SHAPES: readonly NamedSchema[] = [
  describeValue('ImportFormat', importFormat, 'A service that links come from.', 'input'),
  describeRequest('ImportedState', stateV1, 'A state of the link before a change.', {
    ...SETTING_TEXTS,
    until: 'When the change replaced this state.',
    url: 'The destination then.',
    code: 'The code then.',
    status: 'Whether the link redirected then.',
    tags: 'The names of its tags then.',
  }),
  describeRequest('ImportRow', importRowV1, 'A link of another service. Long texts are cut.', {
    ...SETTING_TEXTS,
    password: PASSWORD_TEXT,
    url: 'Where the link leads.',
    domain:
      'The host of its short URL. If the account can create links there, the link keeps it; otherwise it is on the deployment’s own short host.',
    code: `Its code: up to ${IMPORTED_CODE_MAX} letters, digits, hyphens and underscores, with slashes inside. It is generated if absent.`,
    externalId: 'The id that your own system has for the link.',
    tags: 'The names of its tags; those that do not exist yet are created.',
    createdAt: 'When the other service created it. The link keeps this time.',
    clicks: 'How many clicks the other service has counted.',
    disabled: 'Whether the link is imported disabled: also if it had a password or a start date.',
    earlierCodes: `Up to ${EARLIER_CODES_MAX} other codes that lead to the link, the latest first.`,
    history: 'The states before the last changes of the link, in any order.',
    sourceId: 'The id that the other service has for the link. It identifies the row.',
    nth: 'For a row without code and id: the number of this row among those with its destination.',
  }),
  describeRequest('ImportCheckInput', importCheckInput, 'Rows to check.', {
    ...FILE,
    rows: `Up to ${IMPORT_CHECK_MAX} links.`,
  }),
  describeRequest('ImportInput', importInput, 'Rows to import.', {
    ...FILE,
    id: 'A text that you choose for this import, the same for all parts of a file: 16 to 64 letters, digits, hyphens or underscores.',
    collisions:
      'What happens to a row whose code another link has: it is skipped (if this is absent), or gets a generated code, or its own with a number.',
    rows: `Up to ${IMPORT_MAX} links.`,
  }),
  describeAnswer('ImportCheck', importCheckV1, 'What an import would do with a row.', {
    ...REASONS,
    verdict:
      '`new` becomes a link, `exists` is one, the code of a `taken` row is not free, and `rejected` cannot be a link.',
    code: 'The code of the link; null for a generated one, or for none.',
    suffixedCode: 'For a `taken` row: its code with a number, if that is free.',
    losses: 'The members that the link does not get as they are.',
  }),
  describeAnswer(
    'ImportCheckResult',
    importCheckResult,
    'What an import would do.',
    {
      quotaRemaining: 'Links that the quota of the month has room for.',
      importAllowance:
        'How many links with chosen codes can be imported besides the quota of the month.',
      results: 'One for each row, in their order.',
    },
    CHECK_EXAMPLE,
  ),
  describeAnswer('ImportRowResult', importRowResult, 'What has become of a row.', {
    ...REASONS,
    verdict:
      '`created` by this import, `exists` already, `skipped` for its code, `over_quota`, or `rejected`.',
    code: 'The code of the link; null if there is none.',
    shortUrl: 'The short URL of the link; null if there is none.',
  }),
  describeAnswer(
    'ImportResult',
    importResult,
    'What has become of the rows.',
    {
      created: 'How many rows this import has made links of, also in an earlier request.',
      results: 'One for each row, in their order.',
    },
    {
      created: 1,
      results: [
        {
          verdict: 'created',
          code: 'spring-2024',
          shortUrl: 'https://hop.example/spring-2024',
        },
      ],
    },
  ),
];
