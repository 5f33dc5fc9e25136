import { describe, expect, it } from 'vitest';
import { RequestFailed, type ApiProblem } from '#cli/client.ts';
import { describeFailure } from './describe-failure.ts';

const problem = (change: Partial<ApiProblem>): ApiProblem => ({
  type: 'https://hop.example/api/v1/errors',
  title: 'A title',
  status: 400,
  detail: 'What the server says.',
  code: 'invalid_body',
  requestId: 'a',
  ...change,
});
const failed = (change: Partial<ApiProblem>) =>
  new RequestFailed('What the server says.', problem(change));
const noQuota = () => Promise.reject(new Error('not asked'));

describe('describeFailure', () => {
  it('says that the browser is offline, or that the server cannot be reached', async () => {
    const lost = new RequestFailed('The server could not be reached.', null);
    expect((await describeFailure(lost, false, noQuota)).text).toContain('You are offline.');
    expect((await describeFailure(lost, true, noQuota)).text).toBe(
      'The server could not be reached.',
    );
  });

  it.each(['unauthenticated', 'insufficient_scope'] as const)(
    'leads to the settings after %s',
    async (code) =>
      expect(await describeFailure(failed({ code }), true, noQuota)).toEqual({
        text:
          code === 'unauthenticated'
            ? 'The API key does not work. Create a new one, and enter it in the settings.'
            : 'What the server says.',
        field: null,
        needsSettings: true,
      }),
  );

  it('names an unexpected error', async () => {
    const { text } = await describeFailure(new TypeError('No tab.'), true, noQuota);
    expect(text).toBe('TypeError: No tab.');
  });

  it('names the day on which a used-up quota resets', async () => {
    const used = failed({ code: 'quota_reached' });
    const quota = { limit: 25, resetsAt: '2026-12-12T10:00:00Z' };
    expect((await describeFailure(used, true, () => Promise.resolve(quota))).text).toBe(
      'You have used all 25 links of this month. Your quota resets on Dec 12, 2026 (UTC).',
    );
    expect((await describeFailure(used, true, noQuota)).text).toBe('What the server says.');
  });

  it.each([
    ['/code', 'code'],
    ['/url', 'url'],
    ['/title', 'title'],
    ['/tags/0', 'tags'],
    ['/expiresAt', null],
  ])('an error at %s belongs to the field %s', async (pointer, field) => {
    const errors = [{ detail: 'What the server says.', pointer }];
    expect(await describeFailure(failed({ errors }), true, noQuota)).toEqual({
      text: 'What the server says.',
      field,
      needsSettings: false,
    });
  });
});
