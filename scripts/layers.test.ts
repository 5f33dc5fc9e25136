import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './place.ts';

/**
 * The layers of the Worker and of the web application, top first: a file imports from its own layer and from those below, never
 * from above. docs/architecture.md explains them. Every folder has a place here; tests and worker/testing may import anything.
 */
const WORKER_LAYERS = [
  ['index.ts', 'router.ts'],
  ['api'],
  ['jobs'],
  ['system'],
  ['site', 'preview'],
  [
    'abuse',
    'account',
    'account-days',
    'admin',
    'analytics',
    'api-keys',
    'audit',
    'auth',
    'backup',
    'blog',
    'campaigns',
    'click-jobs',
    'click-queue',
    'clicks',
    'links',
    'migrate-clicks',
    'plans',
    'qr-presets',
    'tags',
    'views',
    'webhooks',
    'weekly-mail',
  ],
  ['http'],
  ['redirect'],
  ['db'],
  ['contract', 'html.ts', 'log.ts'],
];
const WEB_LAYERS = [['main.tsx', 'app'], ['features'], ['ui', 'shared'], ['styles', 'contract']];

type Import = { file: string; from: string; specifier: string; to: string };

/** Every import of the source files below `folder`, as paths from the repository's root; a package keeps its name. */
function importsBelow(folder: string): Import[] {
  const files = globSync(`${folder}/**/*.{ts,tsx}`, {
    cwd: ROOT,
    exclude: ['web/dist/**', '**/*.test.*', '**/testing/**', '**/*.d.ts'],
  });
  return files.flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    return [...source.matchAll(/(?:\bfrom |\bimport |\bimport\()'([^']+)'/g)].map(([, specifier = '']) => ({
      file,
      from: file.slice(folder.length + 1),
      specifier,
      to: pathOf(specifier, posix.dirname(file)),
    }));
  });
}

function pathOf(specifier: string, folder: string): string {
  if (specifier.startsWith('./')) return posix.join(folder, specifier);
  if (specifier.startsWith('#contract/')) return `worker/contract/${specifier.slice('#contract/'.length)}`;
  return specifier.replace(/^#(worker|web|scripts)\//, '$1/');
}

const levelOf = (layers: string[][], path: string): number =>
  layers.findIndex((names) => names.includes(path.split('/')[0] ?? ''));
const say = ({ file, specifier }: Import): string => `${file} imports ${specifier}`;

describe('layers of the Worker', () => {
  const imports = importsBelow('worker');
  const inside = imports.filter(({ to }) => to.startsWith('worker/'));
  const target = ({ to }: Import) => to.slice('worker/'.length);

  it('gives every folder a layer', () => {
    expect(imports.length).toBeGreaterThan(500);
    expect(imports.filter(({ from }) => levelOf(WORKER_LAYERS, from) < 0).map(say)).toEqual([]);
  });

  it('imports nothing from a layer above', () => {
    const upward = inside.filter((found) => levelOf(WORKER_LAYERS, target(found)) < levelOf(WORKER_LAYERS, found.from));
    expect(upward.map(say)).toEqual([]);
  });

  it('keeps stores private to their feature, and routes to the API', () => {
    const isPrivate = (found: Import) => {
      const folder = found.from.split('/')[0];
      if (/(^|\/)store\.ts$/.test(found.to)) return folder !== target(found).split('/')[0];
      return /(^|\/)routes\.ts$/.test(found.to) && folder !== 'api';
    };
    expect(inside.filter(isPrivate).map(say)).toEqual([]);
  });

  it('counts clicks without what brings them, keeps their counts in order or reads them', () => {
    const isAbove = (found: Import) => /^(click-queue|click-jobs|account-days|analytics)\//.test(target(found));
    expect(inside.filter((found) => found.from.startsWith('clicks/') && isAbove(found)).map(say)).toEqual([]);
  });

  it('loads no package on the redirect path, and only zod/mini in the contract', () => {
    const isForeign = ({ from, to, specifier }: Import) =>
      !to.startsWith('worker/') &&
      (from.startsWith('redirect/') ||
        ['html.ts', 'log.ts'].includes(from) ||
        (from.startsWith('contract/') && specifier !== 'zod/mini'));
    expect(imports.filter(isForeign).map(say)).toEqual([]);
    const withZod = new Set(imports.filter(({ specifier }) => specifier.startsWith('zod')).map(({ file }) => file));
    expect(inside.filter(({ from, to }) => from.startsWith('redirect/') && withZod.has(to)).map(say)).toEqual([]);
  });

  it('never imports the web application or the scripts', () => {
    expect(imports.filter(({ to }) => /^(web|scripts|e2e|bench)\//.test(to)).map(say)).toEqual([]);
  });
});

describe('layers of the web application', () => {
  const imports = importsBelow('web').filter(({ to }) => /^(web|worker|scripts)\//.test(to));
  const target = ({ to }: Import) => (to.startsWith('worker/contract/') ? 'contract' : to.replace(/^web\//, ''));

  it('imports nothing from a layer above, and of the Worker only the contract', () => {
    const isUpward = (found: Import) => {
      const from = levelOf(WEB_LAYERS, found.from);
      const to = levelOf(WEB_LAYERS, target(found));
      return from >= 0 && (to < from || /^(worker|scripts)\//.test(target(found)));
    };
    expect(imports.length).toBeGreaterThan(200);
    expect(imports.filter(isUpward).map(say)).toEqual([]);
  });

  it('keeps features apart from each other', () => {
    const featureOf = (path: string) => /^features\/([^/]+)\//.exec(path)?.[1];
    const crossing = imports.filter((found) => {
      const [from, to] = [featureOf(found.from), featureOf(target(found))];
      return from !== undefined && to !== undefined && from !== to;
    });
    expect(crossing.map(say)).toEqual([]);
  });
});
