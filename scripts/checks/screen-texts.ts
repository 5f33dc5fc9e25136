import { parseSync } from 'vite';

/** A text that people may read. `isLabel`: a heading, a button or the label of something. */
export type ScreenText = { text: string; isLabel: boolean };

type Named = { name?: unknown; value?: unknown };
type Node = {
  type: string;
  value?: unknown;
  source?: unknown;
  attributes?: unknown;
  children?: unknown;
  openingElement?: Node;
  name?: Named;
  key?: Named;
  id?: Named;
  callee?: Named;
  quasis?: { value: { cooked: string } }[];
};

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
      visit(value.openingElement?.attributes, false);
      visit(value.children, LABEL_ELEMENTS.test(nameIn(value.openingElement?.name) ?? ''));
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
  if (node.type === 'ExportNamedDeclaration') return node.source !== null;
  if (CODE_NODES.test(node.type)) return true;
  if (node.type === 'CallExpression') return nameIn(node.callee) === 'clsx';
  return CODE_NAMES.test(nameOf(node) ?? '');
}

/** The name of an attribute, of a member or of a variable. */
function nameOf(node: Node): string | null {
  if (node.type === 'JSXAttribute') return nameIn(node.name);
  if (node.type === 'Property') return nameIn(node.key);
  return node.type === 'VariableDeclarator' ? nameIn(node.id) : null;
}

function nameIn(named: Named | undefined): string | null {
  const name = named?.name ?? named?.value;
  return typeof name === 'string' ? name : null;
}

function textOf(node: Node): string | null {
  if (node.type === 'TemplateLiteral') {
    return (node.quasis ?? []).map(({ value }) => value.cooked).join('…');
  }
  const { value } = node;
  return (node.type === 'Literal' || node.type === 'JSXText') && typeof value === 'string'
    ? value.replaceAll(/\s+/g, ' ').trim()
    : null;
}

const readsLikeText = (text: string): boolean =>
  /[a-z]/i.test(text) && (/^[A-Z][a-z]+$/.test(text) || /\S \S/.test(text));
