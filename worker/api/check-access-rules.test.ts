import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { ApiEnv } from '#worker/http/context.ts';
import { ACCESS, KEY_ACCESS, LARGE_BODIES } from './access.ts';
import { checkAccessRules, routeNames } from './base-app.ts';
import { app } from './app.ts';

describe('checkAccessRules', () => {
  it('[T22] finds a rule for every route and a route for every rule', () => {
    expect(routeNames(app).toSorted()).toEqual(Object.keys(ACCESS).toSorted());
    expect(routeNames(app).length).toBeGreaterThan(30);
  });

  it('[T28] allows large bodies on routes for callers only', () => {
    const rules = { ...ACCESS, ...KEY_ACCESS };
    for (const route of Object.keys(LARGE_BODIES)) {
      expect(rules[route], route).toBeDefined();
      expect(['anyone', 'optional'], route).not.toContain(rules[route]);
    }
  });

  it('throws for a route without a rule and a rule without a route', () => {
    const small = new Hono<ApiEnv>();
    small.use('/api/*', async (_, next) => next());
    small.get('/api/one', (c) => c.text('1'));
    expect(() => checkAccessRules(small, { 'GET /api/one': 'anyone' })).not.toThrow();
    expect(() =>
      checkAccessRules(small, { 'GET /api/one': 'anyone', 'GET /api/two': 'admin' }),
    ).toThrow('GET /api/two');
    small.delete('/api/one', (c) => c.text('gone'));
    expect(() => checkAccessRules(small, { 'GET /api/one': 'anyone' })).toThrow('DELETE /api/one');
    small.all('/api/any', (c) => c.text('any'));
    expect(() =>
      checkAccessRules(small, { 'GET /api/one': 'anyone', 'DELETE /api/one': 'anyone' }),
    ).toThrow('ALL /api/any');
  });
});
