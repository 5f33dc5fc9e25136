import { IMPORT_CHECK_MAX, IMPORT_MAX } from '#contract/limits.ts';
import {
  exportQuery,
  importCheckInput,
  importCheckResult,
  importInput,
  importResult,
} from '#contract/v1/v1-import.ts';
import { BODY, type Operation } from './operation.ts';
import { EXPORT_TEXTS } from './shapes/import-shapes.ts';

const PREFIX = 'Needs a key without a code prefix.';
const ROW = {
  url: 'https://example.com/spring',
  code: 'spring-2024',
  title: 'Spring sale',
  tags: ['sale'],
  createdAt: '2024-03-01T09:00:00Z',
  clicks: 1234,
};

export const importOperations: Readonly<Record<string, Operation>> = {
  'POST /api/v1/imports/check': {
    id: 'checkImport',
    summary: 'Say what an import would do',
    description: `Checks up to ${IMPORT_CHECK_MAX} rows and changes nothing. A row whose code is \`taken\` can be skipped, or imported with a new code or with \`suffixedCode\`. ${PREFIX}`,
    body: { schema: importCheckInput, example: { format: 'bitly', rows: [ROW] } },
    answer: {
      status: 200,
      content: importCheckResult,
      description: 'The verdict on each row, and how many links can be imported.',
    },
    errors: BODY,
  },
  'POST /api/v1/imports': {
    id: 'importLinks',
    summary: 'Import links of another service',
    description: `Creates the links of up to ${IMPORT_MAX} rows, with their codes, dates, clicks and states. A row becomes a link once, so a request and a whole file can be repeated. Send all parts of a file with one \`id\`: \`GET /links?import=\` lists its links, and \`GET /links/count?import=\` counts them. Links with a code of their own use the import allowance of the plan first. ${PREFIX}`,
    body: {
      schema: importInput,
      example: { id: 'import-2024-spring', format: 'bitly', collisions: 'suffix', rows: [ROW] },
    },
    answer: { status: 200, content: importResult, description: 'The verdict on each row.' },
    errors: BODY,
  },
  'GET /api/v1/export': {
    id: 'exportLinks',
    summary: 'Export all links',
    description: `All links as one file: \`csv\` and \`json\` have everything, the other formats are redirects for web servers and other services. ${PREFIX}`,
    query: { schema: exportQuery, members: EXPORT_TEXTS, example: { format: 'csv' } },
    answer: { status: 200, content: 'text/csv', description: 'A file, as it is made.' },
    otherTypes: ['application/json', 'text/plain'],
    errors: [],
  },
};
