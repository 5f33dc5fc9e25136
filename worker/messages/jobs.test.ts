import { describe, expect, it } from 'vitest';
import { describeJob } from './jobs.ts';

describe('describeJob', () => {
  it.each([
    ['1 host checked, 1,200 mails sent', { done: { hosts_checked: 1, mails_sent: 1_200 } }],
    ['1 link ended', { done: { links_ended: 1, links_released: 0 } }],
    ['2.5 MB, 1 click lost', { done: { bytes: 2_500_000, clicks_lost: 1 } }],
    [
      '1 table dropped, 1 row of counters deleted, 2 rows of link_claims deleted',
      { done: { tables_dropped: 1 }, deleted: { counters: 1, link_claims: 2 } },
    ],
    ['new key published', { reason: 'key_published' }],
    ['nothing to do', { done: { mails_sent: 0 }, deleted: {} }],
  ] as const)('says "%s"', (text, report) => {
    expect(describeJob(report)).toBe(text);
  });
});
