import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { ACCESS } from './access.ts';
import { app } from './app.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { checkRules, methodsAt, routeNames } from './routing.ts';

test('every route of the product has a rule, and every rule a route', () => {
  expect(routeNames(app).toSorted()).toEqual(Object.keys(ACCESS).toSorted());
  expect(routeNames(app).length).toBeGreaterThan(30);
});

test('a new route without a rule does not start, nor does a rule without its route', () => {
  const small = new Hono<ApiEnv>();
  small.use('/api/*', async (_, next) => next());
  small.get('/api/one', (c) => c.text('1'));
  expect(() => checkRules(small, { 'GET /api/one': 'anyone' })).not.toThrow();
  expect(() => checkRules(small, { 'GET /api/one': 'anyone', 'GET /api/two': 'admin' })).toThrow('GET /api/two');
  small.delete('/api/one', (c) => c.text('gone'));
  expect(() => checkRules(small, { 'GET /api/one': 'anyone' })).toThrow('DELETE /api/one');
  small.all('/api/any', (c) => c.text('any'));
  expect(() => checkRules(small, { 'GET /api/one': 'anyone', 'DELETE /api/one': 'anyone' })).toThrow('ALL /api/any');
});

test('the methods of a path', () => {
  const rules = { 'GET /a/:id': 'anyone', 'PATCH /a/:id': 'member', 'POST /b': 'admin' } as const;
  expect(methodsAt(rules, '/a/x')).toEqual(['GET', 'HEAD', 'PATCH']);
  expect(methodsAt(rules, '/b')).toEqual(['POST']);
  for (const path of ['/a', '/a/', '/a/x/y', '/b/', '/', '']) expect(methodsAt(rules, path)).toEqual([]);
});
