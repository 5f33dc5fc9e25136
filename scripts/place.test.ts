import { expect, test } from 'vitest';
import { persistToOf, stateDir } from './place.ts';

test('STATE_DIR names the state folder', () => {
  expect(stateDir({ STATE_DIR: '/somewhere/else' })).toBe('/somewhere/else');
  expect(stateDir({})).toMatch(/\.wrangler\/state$/);
});

test('under a bare `wrangler dev --persist-to`, the folder given there', () => {
  const npm = { args: ['npm', 'run', 'prepare:dev'], cwd: '/repo' };
  expect(persistToOf([npm, { args: ['node', 'wrangler', 'dev', '--persist-to', 'mine'], cwd: '/repo' }])).toBe('/repo/mine');
  expect(persistToOf([npm, { args: ['node', 'wrangler', 'dev', '--persist-to=/mine'], cwd: '/repo' }])).toBe('/mine');
  expect(persistToOf([npm, { args: ['node', 'wrangler', 'dev'], cwd: '/repo' }])).toBeUndefined();
});
