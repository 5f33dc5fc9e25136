import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { getTableName } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { ERROR_CODES } from '#contract/errors.ts';
import { PAGES, ROOT_FILES } from '#contract/pages/paths.ts';
import { WEBHOOK_FAILING_DAYS } from '#contract/webhooks/webhook-events.ts';
import { DISABLE_PROMISE } from '#contract/site.ts';
import { ACCESS, KEY_ACCESS } from '#worker/api/access.ts';
import * as users from '#worker/db/schema-users.ts';
import * as cards from '#worker/db/schema-cards.ts';
import * as healthTables from '#worker/db/schema-health.ts';
import * as changeTables from '#worker/db/schema-link-changes.ts';
import * as domainTables from '#worker/db/schema-domains.ts';
import * as importTables from '#worker/db/schema-link-imports.ts';
import * as linkTables from '#worker/db/schema-links.ts';
import * as moderation from '#worker/db/schema-moderation.ts';
import * as api from '#worker/db/schema-api.ts';
import * as blog from '#worker/db/schema-blog.ts';
import * as clicks from '#worker/db/schema-clicks.ts';
import * as system from '#worker/db/schema-system.ts';
import * as auth from '#worker/db/schema-auth.ts';
import * as presets from '#worker/db/schema-presets.ts';
import * as accounts from '#worker/db/schema-accounts.ts';
import * as sharedReports from '#worker/db/schema-shared-reports.ts';
import * as tags from '#worker/db/schema-tags.ts';
import { readersOf, withGeneratedTables } from '#scripts/generate/configuration-page.ts';
import { VARIABLES } from '#scripts/generate/configuration.ts';
import { readText, sectionsOf, tableRows } from '#scripts/shared/markdown.ts';
import { CONFIG, ROOT } from '#scripts/shared/place.ts';

const PAGES_OF_DOCS = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'bench/README.md',
  ...globSync('docs/*.md', { cwd: ROOT }),
];
const missing = (names: readonly string[], text: string): string[] =>
  names.filter((name) => !text.includes(`\`${name}\``));

describe('docs/product.md', () => {
  const text = readText('docs/product.md');

  it('docs/product.md names every page', () => {
    const paths = PAGES.map((path) => path.replace(/:(\w+)/, '{$1}'));
    expect(missing(paths, text)).toEqual([]);
  });

  it('docs/product.md names every route of the API', () => {
    expect(missing(Object.keys({ ...ACCESS, ...KEY_ACCESS }), text)).toEqual([]);
  });

  it('docs/product.md names every error code', () => {
    expect(missing(Object.keys(ERROR_CODES), text)).toEqual([]);
  });

  it('docs/product.md says for how long a webhook may fail', () => {
    expect(text).toContain(`failures for ${WEBHOOK_FAILING_DAYS} days do`);
  });

  it('docs/product.md names every file at the root but icons and index.html', () => {
    const files = ROOT_FILES.filter((file) => !/\.(ico|svg|png|html)$/.test(file));
    expect(
      missing(
        files.map((file) => `/${file}`),
        text,
      ),
    ).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  it('docs/architecture.md lists every job', () => {
    const jobs = [...readText('worker/jobs/schedule.ts').matchAll(/\{\s+name: '([\w-]+)'/g)].map(
      ([, name = '']) => name,
    );
    expect(jobs.length).toBeGreaterThan(10);
    expect(missing(jobs, readText('docs/architecture.md'))).toEqual([]);
  });

  it('docs/architecture.md says how often each job runs', () => {
    const schedule = readText('worker/jobs/schedule.ts').matchAll(
      /\{\s+name: '([\w-]+)',\s+everyMs: (?:(\d+) \* )?(MINUTE|HOUR|DAY)_MS/g,
    );
    const units = new Map([
      ['MINUTE', 'min'],
      ['HOUR', 'h'],
      ['DAY', 'day'],
    ]);
    const rows = [...schedule].map(
      ([, name, count = '1', unit = '']) => `| \`${name}\` | ${count} ${units.get(unit)} |`,
    );
    expect(rows.length).toBeGreaterThan(20);
    const text = readText('docs/architecture.md');
    expect(rows.filter((row) => !text.includes(row))).toEqual([]);
  });
});

describe('docs/data-model.md', () => {
  const text = readText('docs/data-model.md');
  const tables = Object.values({
    ...users,
    ...linkTables,
    ...importTables,
    ...domainTables,
    ...changeTables,
    ...moderation,
    ...blog,
    ...clicks,
    ...auth,
    ...api,
    ...accounts,
    ...healthTables,
    ...cards,
    ...tags,
    ...presets,
    ...sharedReports,
    ...system,
  }).filter((value) => value instanceof SQLiteTable);

  it('docs/data-model.md names every table', () => {
    expect(tables.length).toBeGreaterThan(20);
    expect(missing(tables.map(getTableName), text)).toEqual([]);
  });

  it('docs/data-model.md names every index', () => {
    const indexes = tables.flatMap((table) =>
      getTableConfig(table).indexes.map((index) => index.config.name),
    );
    expect(indexes.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  it('docs/data-model.md describes only tables that exist', () => {
    const known = new Set<string>(tables.map(getTableName));
    const described = sectionsOf(text)
      .filter((section) => section.text.includes('| table |'))
      .flatMap((section) => tableRows(section.text))
      .map(([table = '']) => table.replaceAll('`', ''));
    expect(described.filter((table) => !known.has(table))).toEqual([]);
  });
});

describe('docs/configuration.md', () => {
  const { vars } = unstable_readConfig({ config: CONFIG });
  const defaults = VARIABLES.flatMap((variable) =>
    'value' in variable ? [[variable.name, variable.value] as const] : [],
  );

  it('docs/configuration.md has the variables and defaults of wrangler.toml', () => {
    expect(Object.fromEntries(defaults)).toEqual(vars);
  });

  it('docs/configuration.md has the secrets that the Worker declares', () => {
    const declared = [
      ...readText('worker/env-secrets.d.ts').matchAll(/^ {2}([A-Z0-9_]+)\?: string;/gm),
    ].map(([, name = '']) => name);
    const secrets = VARIABLES.filter((variable) => 'secret' in variable).map(({ name }) => name);
    expect(secrets.toSorted()).toEqual(declared.toSorted());
  });

  it('docs/configuration.md has no variable that nothing reads', () => {
    expect(VARIABLES.filter(({ name }) => readersOf(name).length === 0)).toEqual([]);
  });

  it('docs/configuration.md is up to date: run `npm run generate -- docs`', () => {
    const page = readText('docs/configuration.md');
    expect(page).toBe(withGeneratedTables(page));
  });
});

describe('docs/decisions.md', () => {
  const sections = sectionsOf(readText('docs/decisions.md'));

  it('decisions are numbered from D1 without a gap', () => {
    const numbers = sections.filter((section) => section.level === 2);
    expect(numbers.map((section) => section.title)).toEqual(numbers.map((_, i) => `D${i + 1}`));
  });

  it('decision D46 names every dependency of package.json', () => {
    const {
      dependencies,
      devDependencies,
    }: Record<string, Record<string, string>> = JSON.parse(readText('package.json'));
    const text = sections.find((section) => section.anchor === 'd46')?.text ?? '';
    expect(missing(Object.keys({ ...dependencies, ...devDependencies }), text)).toEqual([]);
  });
});

describe('all documents', () => {
  it.each(PAGES_OF_DOCS)('%s names only files that exist', (page) => {
    const named = [
      ...readText(page).matchAll(/`((?:worker|web|scripts|e2e|bench|docs|migrations)\/[\w./-]*)`/g),
    ].map(([, path = '']) => path);
    // The build creates web/dist.
    expect(
      named.filter((path) => !path.startsWith('web/dist') && !existsSync(join(ROOT, path))),
    ).toEqual([]);
  });

  it.each(PAGES_OF_DOCS)('%s names only npm scripts that exist', (page) => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(readText('package.json'));
    const named = [...readText(page).matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it.each(PAGES_OF_DOCS)('%s has no dead link inside the repository', (page) => {
    const links = [...readText(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
    const dead = links.filter(([, path = '', anchor]) => {
      const target = path === '' ? page : join(page, '..', path);
      if (!existsSync(join(ROOT, target))) return true;
      return (
        anchor !== undefined &&
        !sectionsOf(readText(target)).some((section) => section.anchor === anchor)
      );
    });
    expect(dead.map(([link]) => link)).toEqual([]);
  });

  it.each(['README.md', 'SECURITY.md', 'docs/product.md', 'docs/decisions.md'])(
    '%s says how soon a disabled link stops, in the words of the pages',
    (page) => {
      expect(readText(page)).toContain(DISABLE_PROMISE);
    },
  );

  it.each(PAGES_OF_DOCS)('%s promises no other time after which a link stops', (page) => {
    expect(readText(page).replaceAll(DISABLE_PROMISE, '')).not.toMatch(/\b35 s(econds)?\b/);
  });
});

describe('paragraphs of the documentation', () => {
  const MAX = 600;
  const files = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.md', { cwd: ROOT })];

  it.each(files)('%s has no paragraph over 600 characters', (file) => {
    const blocks = readText(file)
      .replaceAll(/^```[^]*?^```/gm, '')
      .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)/)
      .filter((block) => !/^\s*\||^ {4}/.test(block));
    expect(blocks.length).toBeGreaterThan(1);
    expect(blocks.filter((block) => block.length > MAX)).toEqual([]);
  });
});
