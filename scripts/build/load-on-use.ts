import { parseSync, Visitor, type ESTree, type Plugin, type Rolldown } from 'vite';

type Chunk = Rolldown.OutputChunk;

/** Rolldown writes each of these as one line at the top level of a chunk. */
const IMPORT = /^import (?:\{ (.*) \} from )?"(?:\.\/(.*)|.*)";$/gm;
const EXPORT = /^export \{ (.*) \};$/m;
const IMPORT_ON_USE = /\bimport\("\.\/(.*?)"\)/g;

/**
 * Turns each chunk that is imported on first use into a function that runs the chunk's code once and
 * returns its exports. V8 only scans a function before its first call, and scans faster if the file
 * has few names at its top level (docs/decisions.md#d72). All code stays in its line, so the source
 * maps stay right. For example:
 *
 *     import { a as b } from "./x.js";   import { $x_js } from "./x.js"; let $loaded;
 *     const c = b + 1;                   export function $this_js() { … const { a: b } = $x_js();
 *     export { c as d };                 const c = b + 1; return $loaded = { d: c }; }
 */
export const loadOnUse = (): Plugin => ({
  name: 'load-on-use',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const atStart = chunksAtStart(chunks);
    for (const chunk of chunks)
      chunk.code = atStart.has(chunk.fileName)
        ? convertImports(chunk, atStart)
        : toFunction(chunk, atStart);
  },
});

/** Returns the files of the entry and of all chunks that it imports, directly or not. */
function chunksAtStart(chunks: readonly Chunk[]): ReadonlySet<string> {
  const found = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
  for (const file of found)
    for (const next of chunks.find(({ fileName }) => fileName === file)?.imports ?? [])
      found.add(next);
  return found;
}

/** Turns imports of chunks that are functions into calls. All other imports come first. */
function convertImports(
  { fileName, code }: Chunk,
  atStart: ReadonlySet<string>,
  start = '',
): string {
  const imports = new Set<string>();
  const call = (file: string): string => {
    imports.add(`import { ${nameOf(file)} } from "./${file}";`);
    return nameOf(file);
  };
  const rest = code
    .replaceAll(IMPORT, (line: string, names: string | undefined, file: string | undefined) => {
      if (file === undefined || atStart.has(file)) {
        imports.add(line);
        return '';
      }
      const members = membersOf(names ?? '').map(([theirs, ours]) => `${theirs}: ${ours}`);
      return `const { ${members.join(', ')} } = ${call(file)}();`;
    })
    .replaceAll(IMPORT_ON_USE, (_, file: string) => {
      if (atStart.has(file)) throw new Error(`${fileName} loads ${file}, which loads at start.`);
      return `Promise.resolve().then(${call(file)})`;
    });
  return `${[...imports].join(' ')} ${start}${rest}`;
}

function toFunction(chunk: Chunk, atStart: ReadonlySet<string>): string {
  checkExports(chunk);
  const { fileName } = chunk;
  const start = `let $loaded; export function ${nameOf(fileName)}() { if ($loaded) return $loaded; `;
  let isComplete = false;
  const text = convertImports(chunk, atStart, start).replace(EXPORT, (_, names: string) => {
    isComplete = true;
    const members = membersOf(names).map(([ours, theirs]) => `${theirs}: ${ours}`);
    return `return $loaded = { ${members.join(', ')} }; }`;
  });
  if (!isComplete) throw new Error(`${fileName} exports nothing.`);
  return text;
}

/** Throws if a function changes an export: importers have a copy of its first value. */
function checkExports({ code, fileName }: Chunk): void {
  const names = new Set(membersOf(EXPORT.exec(code)?.[1] ?? '').map(([ours]) => ours));
  let depth = 0;
  const enter = (): number => depth++;
  const leave = (): number => depth--;
  const check = (target: Target): void => {
    const name = depth === 0 ? undefined : namesIn(target).find((one) => names.has(one));
    if (name !== undefined)
      throw new Error(`A function changes ${name}, which ${fileName} exports: export a function.`);
  };
  const visitor = new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    AssignmentExpression: ({ left }) => check(left),
    UpdateExpression: ({ argument }) => check(argument),
  });
  visitor.visit(parseSync(fileName, code).program);
}

type Target = ESTree.AssignmentTargetMaybeDefault | ESTree.AssignmentTargetRest;

/** Returns the names to which an assignment gives values. */
function namesIn(target: Target): string[] {
  switch (target.type) {
    case 'Identifier':
      return [target.name];
    case 'ObjectPattern':
      return target.properties.flatMap((one) => namesIn(one.type === 'Property' ? one.value : one));
    case 'ArrayPattern':
      return target.elements.flatMap((one) => (one === null ? [] : namesIn(one)));
    case 'AssignmentPattern':
      return namesIn(target.left);
    case 'RestElement':
      return namesIn(target.argument);
    default:
      return [];
  }
}

const nameOf = (file: string): string => `$${file.replaceAll(/\W/g, '_')}`;

/** Returns the pairs of `a as b, c`: [a, b] and [c, c]. */
const membersOf = (names: string): [string, string][] =>
  names
    .split(', ')
    .filter(Boolean)
    .map((name) => {
      const [first = '', second = first] = name.split(' as ');
      return [first, second];
    });
