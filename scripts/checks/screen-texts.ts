import { parseSync } from 'vite';

/** A text that people may read. `isLabel`: a heading, a button or the label of something. */
export type ScreenText = { text: string; isLabel: boolean };

type Node = { type: string; [member: string]: unknown };

const LABEL_ELEMENTS = /^(?:h[1-6]|button|legend|label|th|\w*Button|Label|\w*Heading)$/;
const LABEL_NAMES =
  /^(?:title|label|heading|header|legend|action|column|caption|placeholder|aria-label|submit)$/;
/** Attributes and members whose strings people do not read. */
const CODE_NAMES =
  /^(?:\w*className|\w*Class|class|d|viewBox|href|src|to|path|pattern|key|id|imported|COMMON_NAMES)$/;
const CODE_NODES = /^(?:Import|Export(?:All|Named)|TS\w*Type$|TSLiteral|TSInterface|TSTypeAlias)/;

/** Returns the strings of a module that read like text: with a space, or with a capital letter. */
export function screenTextsOf(file: string, source: string): ScreenText[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} could not be parsed.`);
  const texts: ScreenText[] = [];
  const visit = (value: unknown, isLabel: boolean): void => {
    if (Array.isArray(value)) value.forEach((item) => visit(item, isLabel));
    if (!isNode(value) || isCode(value)) return;
    const text = textOf(value);
    if (text !== null && readsLikeText(text)) texts.push({ text, isLabel });
    const names = nameOf(value);
    const inLabel = names === null ? isLabel : LABEL_NAMES.test(names);
    if (value.type === 'JSXElement') {
      const opening = value['openingElement'] as Node;
      visit(opening['attributes'], false);
      visit(value['children'], LABEL_ELEMENTS.test(tagOf(opening)));
      return;
    }
    for (const child of Object.values(value)) visit(child, inLabel);
  };
  visit(program.body, false);
  return texts;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

function isCode(node: Node): boolean {
  if (node.type === 'ExportNamedDeclaration') return node['source'] !== null;
  if (CODE_NODES.test(node.type)) return true;
  if (node.type === 'CallExpression') return tagOf({ name: node['callee'] } as never) === 'clsx';
  return CODE_NAMES.test(nameOf(node) ?? '');
}

/** The name of an attribute, of a member or of a variable. */
function nameOf(node: Node): string | null {
  const named = { JSXAttribute: 'name', Property: 'key', VariableDeclarator: 'id' }[node.type];
  if (named === undefined) return null;
  const { name, value } = node[named] as { name?: unknown; value?: unknown };
  return typeof name === 'string' ? name : typeof value === 'string' ? value : null;
}

function tagOf(opening: Node): string {
  const { name } = opening['name'] as { name?: unknown };
  return typeof name === 'string' ? name : '';
}

function textOf(node: Node): string | null {
  if (node.type === 'TemplateLiteral') {
    const parts = node['quasis'] as { value: { cooked: string } }[];
    return parts.map(({ value }) => value.cooked).join('…');
  }
  const { value } = node;
  return (node.type === 'Literal' || node.type === 'JSXText') && typeof value === 'string'
    ? value.replaceAll(/\s+/g, ' ').trim()
    : null;
}

const readsLikeText = (text: string): boolean =>
  /[a-z]/i.test(text) && (/^[A-Z][a-z]+$/.test(text) || /\S \S/.test(text));
