/** A part of a line of a post. `href` is an address that the parser has checked. */
export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'break' }
  | { kind: 'strong' | 'emphasis'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] };

const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);
const ADDRESS_MAX = 2048;

/**
 * The pieces of a line that can have a meaning. An address without brackets is one piece, so that
 * `*` inside it is not emphasis. No piece begins inside another, so the time is linear (SECURITY.md
 * T56).
 */
const PIECE = /\n|\\[`*[\]#>+.-]|`+|\*\*?|[[\]]|https?:\/\/[^\s<>"`[\]]+/g;
const TARGET = /\(([^\s()<>]{1,2048}(?:\([^\s()<>]{0,2048}\)[^\s()<>]{0,2048})?)\)/y;

const SOMETHING = /\S/;
/** Emphasis neither begins nor ends inside a word, so that '5*3*2' stays as it is. */
const WORD = new RegExp(String.raw`[\p{L}\p{N}]`, 'u');
const AFTER_ADDRESS = `*).,;:!?…'`;

type Marker = '' | '*' | '**' | '[';
/** An open marker, which may have no end, and the pieces after it. */
type Frame = { marker: Marker; children: Inline[] };

/** The address of a link as the URL parser writes it; null if it must not be one. */
function safeHref(address: string): string | null {
  if (address.length > ADDRESS_MAX || !URL.canParse(address)) return null;
  const { protocol, href } = new URL(address);
  return PROTOCOLS.has(protocol) ? href : null;
}

function addText(children: Inline[], text: string): void {
  const last = children.at(-1);
  if (last?.kind === 'text') last.text += text;
  else if (text !== '') children.push({ kind: 'text', text });
}

function addAll(children: Inline[], more: readonly Inline[]): void {
  for (const part of more)
    if (part.kind === 'text') addText(children, part.text);
    else children.push(part);
}

/** The lengths of all runs of backticks, each with the places where it begins, last one first. */
function runsOf(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const places = runs.get(run.length);
    if (places === undefined) runs.set(run.length, [index]);
    else places.push(index);
  }
  for (const places of runs.values()) places.reverse();
  return runs;
}

/**
 * Parses the text of a paragraph, a heading or an item. Each kind of marker is open at most once,
 * so a marker finds its beginning at once; what never ends stays text.
 */
export function parseInline(text: string): Inline[] {
  const root: Frame = { marker: '', children: [] };
  const frames: Frame[] = [root];
  const runs = runsOf(text);
  const current = (): Inline[] => (frames.at(-1) ?? root).children;
  const isOpen = (marker: Marker): boolean => frames.some((frame) => frame.marker === marker);
  /** Closes everything that was opened after `marker`, as text, and returns what it contains. */
  const close = (marker: Marker): Inline[] => {
    for (;;) {
      const frame = frames.length > 1 ? frames.pop() : undefined;
      if (frame === undefined) return [];
      if (frame.marker === marker) return frame.children;
      addText(current(), frame.marker);
      addAll(current(), frame.children);
    }
  };

  let end = 0;
  PIECE.lastIndex = 0;
  for (let match = PIECE.exec(text); match !== null; match = PIECE.exec(text)) {
    const { 0: piece, index } = match;
    addText(current(), text.slice(end, index));
    end = index + piece.length;
    const before = text.charAt(index - 1);
    const after = text.charAt(end);
    if (piece === '\n') {
      current().push({ kind: 'break' });
    } else if (piece.startsWith('\\')) {
      addText(current(), piece.slice(1));
    } else if (piece.startsWith('`')) {
      const places = runs.get(piece.length) ?? [];
      while ((places.at(-1) ?? end) < end) places.pop();
      const closing = places.at(-1);
      if (closing === undefined) addText(current(), piece);
      else {
        current().push({ kind: 'code', text: codeText(text.slice(end, closing)) });
        end = closing + piece.length;
      }
    } else if (piece === '*' || piece === '**') {
      const isEmpty = frames.at(-1)?.marker === piece && current().length === 0;
      if (isOpen(piece) && !isEmpty && SOMETHING.test(before) && !WORD.test(after)) {
        const children = close(piece);
        current().push({ kind: piece === '*' ? 'emphasis' : 'strong', children });
      } else if (!isOpen(piece) && SOMETHING.test(after) && !WORD.test(before))
        frames.push({ marker: piece, children: [] });
      else addText(current(), piece);
    } else if (piece === '[') {
      if (isOpen('[')) addText(current(), piece);
      else frames.push({ marker: '[', children: [] });
    } else if (piece === ']') {
      TARGET.lastIndex = end;
      const target = isOpen('[') ? TARGET.exec(text)?.[1] : undefined;
      const href = target === undefined ? null : safeHref(target);
      const children = isOpen('[') ? close('[') : null;
      if (href !== null && target !== undefined && children !== null && children.length > 0) {
        current().push({ kind: 'link', href, children });
        end += target.length + 2;
      } else {
        if (children !== null) addText(current(), '[');
        addAll(current(), children ?? []);
        addText(current(), ']');
      }
    } else {
      // Punctuation after an address does not belong to it.
      while (AFTER_ADDRESS.includes(text.charAt(end - 1))) end -= 1;
      addText(current(), text.slice(index, end));
    }
    PIECE.lastIndex = end;
  }
  addText(current(), text.slice(end));
  while (frames.length > 1) {
    const { marker, children } = frames.pop() ?? root;
    addText(current(), marker);
    addAll(current(), children);
  }
  return root.children;
}

/** Code is on one line. A space at both ends lets code begin or end with a backtick. */
function codeText(text: string): string {
  const line = text.replaceAll('\n', ' ');
  const isPadded = line.startsWith(' ') && line.endsWith(' ') && SOMETHING.test(line);
  return isPadded ? line.slice(1, -1) : line;
}

export const inlineText = (parts: readonly Inline[]): string =>
  parts
    .map((part) =>
      part.kind === 'break' ? '\n' : 'children' in part ? inlineText(part.children) : part.text,
    )
    .join('');
