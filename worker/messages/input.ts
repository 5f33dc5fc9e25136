import type * as z from 'zod/mini';
import { formatNumber, listAny } from '#contract/language.ts';
import { nearestName } from './nearest-name.ts';

/** For input that fails a schema without an issue of its own. */
export const INVALID_INPUT = 'The request is not valid.';

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'a JSON object',
};
const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

/**
 * Returns the message for input that a schema rejects, unless the schema has its own message. It
 * names the field as the API does and says what is allowed.
 */
export function inputMessage(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'unrecognized_keys') return unknownNames(issue);
  const name = nameOf(issue.path);
  const rule = ruleOf(issue);
  return issue.input === undefined ? `${name} is missing. It ${rule}.` : `${name} ${rule}.`;
}

const nameOf = (path: readonly PropertyKey[] = []): string =>
  path.length === 0 ? 'The body' : path.map(String).join('.');

/** Patterns and conditions have no general description; their schemas have their own messages. */
function ruleOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${listOf(issue.values)}`;
    case 'invalid_union':
      return `must be ${listOf(Array.isArray(issue.options) ? issue.options : [])}`;
    case 'too_big':
      return `can ${verbOf(issue.origin)} at most ${sizeOf(issue.maximum, issue.origin)}`;
    case 'too_small':
      return `must ${verbOf(issue.origin)} at least ${sizeOf(issue.minimum, issue.origin)}`;
    default:
      return 'is not valid';
  }
}

const listOf = (values: readonly unknown[]): string =>
  listAny(values.map((value) => JSON.stringify(value)));

const verbOf = (origin: string): string => (origin in UNITS ? 'have' : 'be');

const sizeOf = (size: number | bigint, origin: string): string =>
  `${formatNumber(Number(size))}${UNITS[origin] ?? ''}`;

export const repeatedParameter = (name: string): string =>
  `The parameter ${quote(name)} may appear only once.`;

/** One line for each unknown name, with the known name that was probably meant. */
function unknownNames({
  keys,
  inst,
}: z.core.$ZodRawIssue<z.core.$ZodIssueUnrecognizedKeys>): string {
  const known = Object.keys(Object(inst?._zod.def)['shape'] ?? {});
  const choice = known.length === 0 ? '' : ` Known names: ${known.join(', ')}.`;
  return keys
    .map((key) => {
      const nearest = nearestName(key, known);
      const advice = nearest === null ? choice : ` Did you mean ${quote(nearest)}?`;
      return `${quote(key)} is unknown here.${advice}`;
    })
    .join('\n');
}

/** As JSON, so that a name cannot contain a line break. */
const quote = (name: string): string => `\`${JSON.stringify(name.slice(0, 60)).slice(1, -1)}\``;
