import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readText } from '#scripts/shared/markdown.ts';
import { ROOT } from '#scripts/shared/place.ts';

describe('statements that change links', () => {
  /** Files that change links and record no event, and why. */
  const SILENT: Record<string, string> = {
    'worker/edge/supersede-record.ts': 'only the version changes, after a restore',
    'worker/edge/orphan.ts': 'such a link has no owner',
    'worker/backup/reconcile-edge.ts': 'codes without an owner, after a restore',
    'worker/links/write/rename-link.ts':
      'rows that keep earlier codes have no owner; update-link.ts records the change',
    'worker/links/write/insert-parts.ts':
      'rows that keep earlier codes have no owner; insert-links.ts records the links',
    'worker/account/store.ts': 'the endpoints are deleted with the account',
  };
  /** Inserts links, or raises their version. */
  const CHANGES =
    /insert into \$\{links\}|\.update\(links\)[^;]*\bversion\b|update \$\{links\}[^`]*version = /;

  it('files that change links record events', () => {
    const writers = globSync('worker/**/*.ts', {
      cwd: ROOT,
      exclude: ['**/*.test.ts', 'worker/testing/**'],
    }).filter((file) => CHANGES.test(readText(file)));
    const silent = writers.filter((file) => !readText(file).includes('recordLinkEvents('));
    expect(silent.toSorted()).toEqual(Object.keys(SILENT).toSorted());
    expect(writers.length - silent.length).toBeGreaterThanOrEqual(3);
  });
});
