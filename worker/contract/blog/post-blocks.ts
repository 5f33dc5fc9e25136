import { inlineText, parseInline, type Inline } from './post-inline.ts';

/**
 * A post as a tree. Its text is a subset of Markdown: headings, lists, quotes, code, links and
 * emphasis, without HTML and pictures. Unlike Markdown, it keeps each line break and every empty
 * line, so that plain text stays as it was typed.
 */
export type PostBlock =
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'heading'; level: 2 | 3; children: Inline[] }
  /** `start` is the first number of an ordered list; null for bullets. */
  | { kind: 'list'; start: number | null; items: PostBlock[][] }
  | { kind: 'quote'; blocks: PostBlock[] }
  | { kind: 'code'; text: string };

/** Lists and quotes within each other. Deeper ones stay text, so that the time is linear. */
const DEPTH_MAX = 3;

const HEADING = /^(#{1,3})[ \t]+(\S.*)$/;
const FENCE = /^```[\w+#.-]*[ \t]*$/;
const FENCE_END = /^```[ \t]*$/;
const QUOTE = /^> ?/;
const ITEM = /^(?:([-*])|(\d{1,9})[.)])[ \t]+(\S.*)$/;
const INDENT = /^(?: {2,4}|\t)/;

const isBlank = (line: string): boolean => line.trim() === '';

type Item = { start: number | null; text: string };

function itemOf(line: string): Item | null {
  const match = ITEM.exec(line);
  if (match === null) return null;
  return { start: match[2] === undefined ? null : Number(match[2]), text: match[3] ?? '' };
}

/** Walks through the lines of a text, or of what a quote or an item contains. */
function walk(lines: readonly string[]) {
  const lastFence = lines.findLastIndex((line) => FENCE_END.test(line));
  let at = 0;
  return {
    line: (): string | undefined => lines[at],
    at: (): number => at,
    skip: (): void => void (at += 1),
    /** Takes lines while they are accepted. */
    take(isAccepted: (line: string) => boolean): string[] {
      const from = at;
      for (let line = lines[at]; line !== undefined && isAccepted(line); line = lines[at]) at += 1;
      return lines.slice(from, at);
    },
    /** The first line from here on that is not blank. */
    peek(): string | undefined {
      let next = at;
      while (isBlank(lines[next] ?? '.')) next += 1;
      return lines[next];
    },
    /** True if code begins here. A fence that is never closed is text. */
    isCode: (): boolean => at < lastFence && FENCE.test(lines[at] ?? ''),
  };
}
type Walk = ReturnType<typeof walk>;

export const parsePost = (content: string): PostBlock[] =>
  parseBlocks(content.replaceAll(/\r\n?/g, '\n').split('\n'), 0);

function parseBlocks(text: readonly string[], depth: number): PostBlock[] {
  const lines = walk(text);
  const blocks: PostBlock[] = [];
  for (;;) {
    const blank = lines.take(isBlank).length;
    const line = lines.line();
    if (line === undefined) return blocks;
    const heading = HEADING.exec(line);
    if (lines.isCode()) {
      lines.skip();
      const code = lines.take((next) => !FENCE_END.test(next));
      lines.skip();
      blocks.push({ kind: 'code', text: code.join('\n') });
    } else if (heading !== null) {
      lines.skip();
      const level = heading[1]?.length === 3 ? 3 : 2;
      blocks.push({ kind: 'heading', level, children: parseInline(heading[2]?.trim() ?? '') });
    } else if (depth < DEPTH_MAX && QUOTE.test(line)) {
      const quoted = lines.take((next) => QUOTE.test(next));
      const inner = quoted.map((next) => next.replace(QUOTE, ''));
      blocks.push({ kind: 'quote', blocks: parseBlocks(inner, depth + 1) });
    } else if (depth < DEPTH_MAX && itemOf(line) !== null) {
      blocks.push(parseList(lines, depth));
    } else {
      blocks.push({ kind: 'paragraph', children: parseParagraph(lines, depth, blank) });
    }
  }
}

/**
 * `blank` is the number of empty lines before the paragraph. One separates paragraphs; the others
 * are kept as breaks.
 */
function parseParagraph(lines: Walk, depth: number, blank: number): Inline[] {
  const first = lines.at();
  const text = lines.take(
    (line) =>
      lines.at() === first ||
      !(
        isBlank(line) ||
        lines.isCode() ||
        HEADING.test(line) ||
        (depth < DEPTH_MAX && (QUOTE.test(line) || beginsList(line)))
      ),
  );
  const breaks = first === blank ? 0 : Math.max(0, blank - 1);
  return parseInline('\n'.repeat(breaks) + text.join('\n'));
}

/** A number other than 1 in the middle of a text is rarely the begin of a list: '1986. A year'. */
function beginsList(line: string): boolean {
  const item = itemOf(line);
  return item !== null && (item.start === null || item.start === 1);
}

function parseList(lines: Walk, depth: number): PostBlock {
  const start = itemOf(lines.line() ?? '')?.start ?? null;
  const items: PostBlock[][] = [];
  for (;;) {
    const item = itemOf(lines.line() ?? '');
    if (item === null || (item.start === null) !== (start === null)) break;
    lines.skip();
    const text: string[] = [];
    for (;;) {
      text.push(...lines.take((line) => INDENT.test(line) && !isBlank(line)));
      const next = lines.peek();
      if (lines.line() === undefined || next === undefined || !isBlank(lines.line() ?? '')) break;
      if (INDENT.test(next)) text.push(...lines.take(isBlank));
      else if (itemOf(next) === null) break;
      else {
        lines.take(isBlank);
        break;
      }
    }
    items.push(parseBlocks([item.text, ...removeIndent(text)], depth + 1));
  }
  return { kind: 'list', start, items };
}

/**
 * The lines of an item without the indent of its first nested item, or of its first line where
 * nothing is nested: two spaces for each level work as well as four.
 */
function removeIndent(lines: readonly string[]): string[] {
  const first =
    lines.find((line) => itemOf(line.trimStart()) !== null) ??
    lines.find((line) => !isBlank(line)) ??
    '';
  const indent = INDENT.exec(first)?.[0] ?? '\t';
  const indents = new RegExp(`^(?: {1,${indent === '\t' ? 4 : indent.length}}|\\t)`);
  return lines.map((line) => line.replace(indents, ''));
}

/** The text of a post without its markup, for its reading time and as its own description. */
export const plainText = (blocks: readonly PostBlock[]): string =>
  blocks.map((block) => textOf(block)).join('\n\n');

/** `plainText` without headings and code, because an excerpt consists of sentences. */
export function proseText(blocks: readonly PostBlock[]): string {
  const prose = blocks.filter(({ kind }) => kind !== 'heading' && kind !== 'code');
  return plainText(prose.length === 0 ? blocks : prose);
}

function textOf(block: PostBlock): string {
  switch (block.kind) {
    case 'code':
      return block.text;
    case 'quote':
      return plainText(block.blocks);
    case 'list':
      return block.items.map((item) => plainText(item)).join('\n');
    default:
      return inlineText(block.children);
  }
}
