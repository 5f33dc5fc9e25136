import { join } from 'node:path';
import { expect, it } from 'vitest';
import { persistToOf, ROOT, stateDir } from './place.ts';

it('takes the state folder from STATE_DIR', () => {
  expect(stateDir({ STATE_DIR: '/somewhere/else' })).toBe('/somewhere/else');
  expect(stateDir({ STATE_DIR: 'state' })).toBe(join(ROOT, 'state'));
  expect(stateDir({})).toMatch(/\.wrangler\/state$/);
});

it('takes the state folder from the `--persist-to` of a bare `wrangler dev`', () => {
  const npm = { args: ['npm', 'run', 'prepare:dev'], cwd: '/repo' };
  expect(
    persistToOf([npm, { args: ['node', 'wrangler', 'dev', '--persist-to', 'mine'], cwd: '/repo' }]),
  ).toBe('/repo/mine');
  expect(
    persistToOf([npm, { args: ['node', 'wrangler', 'dev', '--persist-to=/mine'], cwd: '/repo' }]),
  ).toBe('/mine');
  expect(persistToOf([npm, { args: ['node', 'wrangler', 'dev'], cwd: '/repo' }])).toBeUndefined();
  const started = ['/near', '/far'].map((path) => ({ args: ['--persist-to', path], cwd: '/repo' }));
  expect(persistToOf(started)).toBe('/near');
});
