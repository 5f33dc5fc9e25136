import { describe, expect, it } from 'vitest';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';

const DELETION = { confirm: 'delete my account', links: 'keep' };
const KEY = { name: 'CI', scopes: ['links:read'] };

describe('rate limits of what a member manages', () => {
  it.each([
    ['POST', '/api/keys', KEY],
    ['POST', '/api/keys/a-key/rotate', {}],
    ['DELETE', '/api/keys/a-key', undefined],
    ['DELETE', '/api/sessions', undefined],
    ['DELETE', '/api/sessions/a-session', undefined],
    ['POST', '/api/subscription', {}],
    ['POST', '/api/subscription/downgrade', { when: 'now' }],
    ['DELETE', '/api/subscription/downgrade', undefined],
    ['DELETE', '/api/account', DELETION],
  ])('%s %s counts as a write of the member', async (method, path, json) => {
    const { id, headers } = await makePerson();
    const keys: string[] = [];
    const LIMIT_WRITES: RateLimit = {
      limit: async ({ key }) => ({ success: keys.push(key) === 0 }),
    };
    const init = { method, headers, ...(json === undefined ? {} : { json }) };
    const answer = await call(path, init, { LIMIT_WRITES, BILLING: 'demo' });
    expect([answer.status, answer.headers.get('Retry-After'), keys]).toEqual([429, '60', [id]]);
  });

  it.each([
    '/api/account/export',
    '/api/account/links.csv',
    '/api/account/links?format=json',
    '/api/account/links?format=nginx',
  ])('GET %s counts as an export of the member', async (path) => {
    const { id, headers } = await makePerson();
    const keys: string[] = [];
    const LIMIT_VISITOR_LINKS: RateLimit = {
      limit: async ({ key }) => ({ success: keys.push(key) === 0 }),
    };
    const answer = await call(path, { headers }, { LIMIT_VISITOR_LINKS });
    expect([answer.status, keys]).toEqual([429, [`export:${id}`]]);
  });
});
