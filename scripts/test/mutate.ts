import { parseAst } from 'vite';

/** A change of one token: `text` replaces the source between `start` and `end`. */
export type Mutant = { start: number; end: number; text: string };

type Node = { type: string; start: number; end: number; [member: string]: unknown };

const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '+=': '-=',
  '-=': '+=',
};

/**
 * Matches mutable tokens inside SQL, which is text in tagged templates and `prepare`: comparisons,
 * `and`/`or`, `is null`, plus and minus one.
 */
const SQL =
  /<=|>=|<>|(?<![<>=!])[<>](?![<>=])|\b(?:and|or|AND|OR)\b|\b(?:is not null|is null|IS NOT NULL|IS NULL)\b|(?<=\s)[+-](?=\s1\b)/g;
const SQL_OPERATORS: Readonly<Record<string, string>> = {
  ...OPERATORS,
  '<>': '=',
  and: 'or',
  or: 'and',
  'is null': 'is not null',
  'is not null': 'is null',
};

/**
 * Returns every one-token change of a TypeScript source that a plausible mistake could make. Throws
 * if the source does not parse.
 */
export function mutantsOf(source: string): Mutant[] {
  const found: Mutant[] = [];
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(walk);
    if (!isNode(value)) return;
    // Types have no effect at run time.
    if (value.type.startsWith('TS') && !('expression' in value)) return;
    if (value.type === 'ImportDeclaration') return;
    found.push(...mutantsAt(value, source));
    for (const [name, member] of Object.entries(value)) if (!name.startsWith('type')) walk(member);
  };
  walk(parseAst(source, { lang: 'ts' }).body);
  return found;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function mutantsAt(node: Node, source: string): Mutant[] {
  const { type, start, end } = node;
  switch (type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression': {
      const text = OPERATORS[String(node['operator'])];
      if (text === undefined || !isNode(node['left']) || !isNode(node['right'])) return [];
      const at = source.indexOf(String(node['operator']), node['left'].end);
      return [{ start: at, end: at + String(node['operator']).length, text }];
    }
    case 'UnaryExpression':
      return node['operator'] === '!' ? [{ start, end: start + 1, text: '' }] : [];
    case 'Literal':
      if (typeof node['value'] === 'boolean') return [{ start, end, text: String(!node['value']) }];
      return typeof node['value'] === 'number'
        ? [{ start, end, text: `(${source.slice(start, end)} + 1)` }]
        : [];
    case 'ExpressionStatement':
      return isCall(node['expression']) ? [{ start, end, text: ';' }] : [];
    case 'TemplateElement':
      return [...source.slice(start, end).matchAll(SQL)].flatMap(({ index, 0: operator }) => {
        const text = SQL_OPERATORS[operator] ?? SQL_OPERATORS[operator.toLowerCase()];
        return text === undefined || !isSql(source.slice(start, end))
          ? []
          : [{ start: start + index, end: start + index + operator.length, text }];
      });
    default:
      return [];
  }
}

function isCall(value: unknown): boolean {
  if (!isNode(value)) return false;
  return (
    value.type === 'CallExpression' ||
    (value.type === 'AwaitExpression' && isCall(value['argument']))
  );
}

const isSql = (text: string): boolean =>
  /\b(select|insert|update|delete|where|exists|case|and|or|set)\b/i.test(text) &&
  !/[<]\/?[a-z]+[ >]/.test(text);
