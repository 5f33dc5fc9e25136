import { parseAst, type Plugin } from 'vite';

/** Initial values of top-level constants that hold state. The two applications hold none. */
const STATE = /^(?:new (?:Map|Set|WeakMap|WeakSet)\(\)$|create(?!App\b|V1\b)\w+\(|batchLookups\()/;
/** Constants of these names are objects whose members change. */
const STATE_NAME = /^(?:state|isolate)$/;

const isOurs = (id: string): boolean =>
  /\/worker\/.*\.ts$/.test(id) && !id.includes('/node_modules/') && !id.endsWith('.test.ts');

/**
 * Test files share the modules of one isolate. Every module with state adds a function to
 * `globalThis.stateResets` that gives its top-level variables their first values again, which
 * `worker/testing/setup.ts` calls before each file. Evaluating the modules again would take a fifth
 * of a second per file, and V8 would optimize nothing.
 */
export const resettableState: Plugin = {
  name: 'resettable-state',
  transform(code, id) {
    const changed = isOurs(id) ? makeResettable(code) : code;
    return changed === code ? undefined : { code: changed, map: null };
  },
};

/** Returns the code of a module with constants that hold state as variables, and their reset. */
export function makeResettable(code: string): string {
  const resets: string[] = [];
  let text = code;
  for (const statement of parseAst(code).body) {
    const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (node?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of node.declarations) {
      if (id.type !== 'Identifier') continue;
      const value = init === null ? 'undefined' : code.slice(init.start, init.end);
      if (node.kind !== 'let' && !STATE.test(value) && !STATE_NAME.test(id.name)) continue;
      resets.push(`${id.name} = ${value};`);
      // Positions stay the same.
      if (node.kind === 'const')
        text = `${text.slice(0, node.start)}let  ${text.slice(node.start + 'const'.length)}`;
    }
  }
  if (resets.length === 0) return code;
  return `${text}\n(globalThis.stateResets ??= []).push(() => {\n${resets.join('\n')}\n});\n`;
}

/**
 * Imports everything from the start. Vitest asks its server again for each `import()` of a request,
 * and answers objects of one isolate that import at the same time with one promise, which workerd
 * forbids.
 */
export const eagerImports: Plugin = {
  name: 'eager-imports',
  enforce: 'pre',
  transform(code, id) {
    if (!isOurs(id)) return undefined;
    const imports: string[] = [];
    const text = code.replaceAll(/\bimport\(('[^']+')\)/g, (_, source: string) => {
      imports.push(`import * as eager${imports.length} from ${source};`);
      return `eager${imports.length - 1}`;
    });
    return imports.length === 0 ? undefined : { code: `${imports.join(' ')} ${text}`, map: null };
  },
};
