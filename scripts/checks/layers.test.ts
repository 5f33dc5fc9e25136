import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/shared/place.ts';

/**
 * The ranks of the Worker and of the web application, top first: a folder imports only from folders
 * of lower rows. Folders of one row do not import each other. docs/architecture.md explains them.
 * Tests and worker/testing may import anything.
 */
const WORKER_RANKS = [
  ['index.ts'],
  ['router.ts', 'jobs'],
  ['api', 'backup', 'domain-router.ts'],
  ['abuse', 'account', 'admin', 'oauth', 'reports', 'site', 'system', 'watch', 'webhooks'],
  ['links'],
  ['api-keys', 'clicks', 'domains'],
  ['events', 'auth'],
  ['blog', 'click-limits', 'edge', 'mail', 'plans', 'presets', 'safety', 'tags'],
  ['audit', 'http', 'job-runtime', 'users'],
  ['db', 'messages', 'redirect'],
  ['contract', 'get-or-create.ts', 'html.ts', 'log.ts', 'metrics', 'secrets'],
];
const WEB_RANKS = [['main.tsx', 'app'], ['features'], ['shared'], ['ui'], ['styles', 'contract']];

type Import = { file: string; from: string; specifier: string; to: string };

/**
 * Returns every import of the source files below `folder`, as paths from the repository's root.
 * Packages keep their names.
 */
function importsBelow(folder: string): Import[] {
  const files = globSync(`${folder}/**/*.{ts,tsx}`, {
    cwd: ROOT,
    exclude: ['web/dist/**', '**/*.test.*', '**/testing/**', '**/*.d.ts'],
  });
  return files.flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    return [...source.matchAll(/(?:\bfrom |\bimport |\bimport\(\s*)'([^']+)'/g)].map(
      ([, specifier = '']) => ({
        file,
        from: file.slice(folder.length + 1),
        specifier,
        to: pathOf(specifier, posix.dirname(file)),
      }),
    );
  });
}

function pathOf(specifier: string, folder: string): string {
  if (specifier.startsWith('./')) return posix.join(folder, specifier);
  if (specifier.startsWith('#contract/'))
    return `worker/contract/${specifier.slice('#contract/'.length)}`;
  return specifier.replace(/^#(worker|web|scripts)\//, '$1/');
}

const topOf = (path: string): string => path.split('/')[0] ?? '';
const rankOf = (ranks: string[][], path: string): number =>
  ranks.findIndex((names) => names.includes(topOf(path)));
const say = ({ file, specifier }: Import): string => `${file} imports ${specifier}`;

/**
 * Finds circular imports: groups of nodes that all reach each other (Tarjan's algorithm). `nodeOf`
 * maps a file to its node, which is the file or its folder.
 */
function findCircles(imports: readonly Import[], nodeOf: (path: string) => string): string[][] {
  const targets = new Map<string, Set<string>>();
  for (const { file, to } of imports) {
    const [from, target] = [nodeOf(file), nodeOf(to)];
    if (from !== target) targets.set(from, (targets.get(from) ?? new Set()).add(target));
  }
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): number => {
    order.set(node, order.size);
    let low = order.size - 1;
    open.push(node);
    for (const target of targets.get(node) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (open.includes(target)) low = Math.min(low, order.get(target) ?? low);
    }
    lowest.set(node, low);
    if (low !== order.get(node)) return low;
    const circle = open.splice(open.indexOf(node));
    if (circle.length > 1) circles.push(circle.toSorted());
    return low;
  };
  for (const node of targets.keys()) if (!order.has(node)) visit(node);
  return circles;
}

describe('findCircles', () => {
  const graph = (...edges: [string, string][]): Import[] =>
    edges.map(([file, to]) => ({ file, from: file, specifier: to, to }));

  it('finds a circle of three files, and none in a graph without circles', () => {
    const same = (path: string) => path;
    expect(findCircles(graph(['a', 'b'], ['b', 'c'], ['a', 'c']), same)).toEqual([]);
    expect(findCircles(graph(['a', 'b'], ['b', 'c'], ['c', 'a'], ['x', 'a']), same)).toEqual([
      ['a', 'b', 'c'],
    ]);
  });

  it('finds a circle of folders where no files form one', () => {
    const imports = graph(['p/a', 'q/b'], ['q/c', 'p/d']);
    expect(findCircles(imports, (path) => posix.dirname(path))).toEqual([['p', 'q']]);
  });
});

describe('imports without circles', () => {
  const imports = ['worker', 'web', 'cli', 'extension', 'scripts', 'bench'].flatMap(importsBelow);

  it('no files import each other, type imports included', () => {
    expect(findCircles(imports, (path) => path)).toEqual([]);
  });

  it.each(['worker', 'web', 'scripts'])(
    'no folders of %s import each other, at any depth',
    (root) => {
      const inside = imports.filter(
        ({ file, to }) => file.startsWith(`${root}/`) && to.startsWith(`${root}/`),
      );
      const folderOf = (path: string) =>
        posix.dirname(path) === root ? path : posix.dirname(path);
      expect(inside.length).toBeGreaterThan(100);
      expect(findCircles(inside, folderOf)).toEqual([]);
      expect(findCircles(inside, (path) => topOf(path.slice(root.length + 1)))).toEqual([]);
    },
  );
});

describe('ranks of the Worker', () => {
  const imports = importsBelow('worker');
  const inside = imports.filter(({ to }) => to.startsWith('worker/'));
  const target = ({ to }: Import) => to.slice('worker/'.length);

  it('every folder has a rank', () => {
    expect(imports.length).toBeGreaterThan(500);
    expect(imports.filter(({ from }) => rankOf(WORKER_RANKS, from) < 0).map(say)).toEqual([]);
  });

  it('the Worker’s folders import only from folders of lower rows', () => {
    const isUpward = (found: Import): boolean =>
      topOf(target(found)) !== topOf(found.from) &&
      rankOf(WORKER_RANKS, target(found)) <= rankOf(WORKER_RANKS, found.from);
    expect(inside.filter(isUpward).map(say)).toEqual([]);
  });

  it('stores are private to their feature, and routes to the API', () => {
    const isPrivate = (found: Import) => {
      const folder = found.from.split('/')[0];
      const isOwn = folder === target(found).split('/')[0];
      if (/(^|\/)store\.ts$/.test(found.to)) return !isOwn;
      // The routes of a feature may contain those of one of its folders.
      const contains = isOwn && found.from.endsWith('/routes.ts');
      return /(^|\/)routes\.ts$/.test(found.to) && folder !== 'api' && !contains;
    };
    expect(inside.filter(isPrivate).map(say)).toEqual([]);
  });

  it('the redirect path loads no package, and the contract only zod/mini', () => {
    const isForeign = ({ from, to, specifier }: Import) =>
      !to.startsWith('worker/') &&
      (/^(redirect|metrics)\//.test(from) ||
        ['html.ts', 'log.ts'].includes(from) ||
        (from.startsWith('contract/') && specifier !== 'zod/mini'));
    expect(imports.filter(isForeign).map(say)).toEqual([]);
    const withZod = new Set(
      imports.filter(({ specifier }) => specifier.startsWith('zod')).map(({ file }) => file),
    );
    expect(
      inside.filter(({ from, to }) => from.startsWith('redirect/') && withZod.has(to)).map(say),
    ).toEqual([]);
  });

  it('the Worker never imports the web application or the scripts', () => {
    expect(imports.filter(({ to }) => /^(web|scripts|e2e|bench)\//.test(to)).map(say)).toEqual([]);
  });
});

describe('ranks of the web application', () => {
  const imports = importsBelow('web').filter(({ to }) => /^(web|worker|scripts)\//.test(to));
  const target = ({ to }: Import) =>
    to.startsWith('worker/contract/') ? 'contract' : to.replace(/^web\//, '');

  it('web folders import nothing from a row above, and only the contract of the Worker', () => {
    const isUpward = (found: Import) => {
      const from = rankOf(WEB_RANKS, found.from);
      const to = rankOf(WEB_RANKS, target(found));
      return from >= 0 && (to < from || /^(worker|scripts)\//.test(target(found)));
    };
    expect(imports.length).toBeGreaterThan(200);
    expect(imports.filter(isUpward).map(say)).toEqual([]);
  });

  it('features of the web application import nothing from each other', () => {
    const featureOf = (path: string) => /^features\/([^/]+)\//.exec(path)?.[1];
    const crossing = imports.filter((found) => {
      const [from, to] = [featureOf(found.from), featureOf(target(found))];
      return from !== undefined && to !== undefined && from !== to;
    });
    expect(crossing.map(say)).toEqual([]);
  });
});
