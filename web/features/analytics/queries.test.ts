import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { RequestError } from '#web/shared/api/api.ts';
import { makeReport } from '#web/testing/make-report.ts';
import { findNewestReport, isDenied } from './queries.ts';

describe('findNewestReport', () => {
  it('finds the report of this link that loaded last', () => {
    const queries = new QueryClient();
    const add = (code: string, range: '7d' | '30d', updatedAt: number) =>
      queries.setQueryData(
        ['analytics', code, range],
        { body: makeReport({ range }), etag: null },
        { updatedAt },
      );
    add('a', '7d', 2);
    add('a', '30d', 1);
    add('b', '30d', 3);
    // The report of the clicks that match a filter.
    queries.setQueryData(
      ['analytics', 'a', '7d', 'country:IN'],
      { body: makeReport({ range: '90d' }), etag: null },
      { updatedAt: 9 },
    );
    expect(findNewestReport(queries, 'a')).toMatchObject({ report: { range: '7d' }, updatedAt: 2 });
    expect(findNewestReport(queries, 'c')).toBeNull();
  });
});

describe('isDenied', () => {
  it('returns true for what the server says about this member, not for failures', () => {
    const answer = (status: number) =>
      new RequestError(status, { error: '', code: 'not_found', requestId: '' });
    for (const status of [401, 403, 404]) expect(isDenied(answer(status))).toBe(true);
    for (const error of [answer(503), answer(429), new Error('offline'), null])
      expect(isDenied(error)).toBe(false);
  });
});
