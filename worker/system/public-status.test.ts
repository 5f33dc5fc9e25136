import { describe, expect, it } from 'vitest';
import type { Signal, SignalName } from '#contract/system/system.ts';
import type { Facts, StoredFacts } from './facts.ts';
import { QUIET_FACTS } from '#worker/testing/quiet-facts.ts';
import { publicStatus } from './public-status.ts';

const NOW = Date.UTC(2027, 0, 10);
const FACTS: Facts = {
  now: NOW,
  versionAt: null,
  databaseMs: 4,
  schema: null,
  shards: [],
  edgeStoreMs: 3,
  stored: QUIET_FACTS,
  limitBytes: 1,
  domainsMax: null,
  backupAt: null,
};
const bad = (...names: SignalName[]): Signal[] =>
  names.map((signal) => ({ signal, state: 'bad', since: null, sentence: '', figure: '' }));
const WITHOUT_MAIL: StoredFacts = {
  ...QUIET_FACTS,
  channels: [{ channel: 'mail', failing: { since: NOW - 600_000, fault: 'E' } }],
};
const WITHOUT_D1 = { databaseMs: null, stored: null };

describe('publicStatus', () => {
  it.each<[facts: Partial<Facts>, signals: SignalName[], not: Record<string, string>]>([
    [{}, [], {}],
    [{}, ['size', 'backup', 'jobs', 'totals', 'writer'], {}],
    [{}, ['errors'], { redirects: 'limited', site: 'limited' }],
    [{}, ['queue'], { clicks: 'limited' }],
    [{}, ['dead-letters'], { clicks: 'limited' }],
    [{}, ['lost-clicks'], { clicks: 'limited' }],
    [{}, ['cron'], { changes: 'limited' }],
    [{}, ['outbox'], { changes: 'limited' }],
    // The signal Mail is unknown where Alerts is red for the same reason.
    [{ stored: WITHOUT_MAIL }, ['alerts'], { mail: 'limited' }],
    [{}, ['schema'], { site: 'down' }],
    // A further database for clicks does not answer.
    [{}, ['database'], { site: 'limited', clicks: 'limited' }],
    [{ edgeStoreMs: null }, ['edge-store'], { redirects: 'limited', changes: 'limited' }],
    [
      WITHOUT_D1,
      ['database'],
      {
        redirects: 'limited',
        site: 'down',
        changes: 'unknown',
        clicks: 'limited',
        mail: 'unknown',
      },
    ],
    [
      { ...WITHOUT_D1, edgeStoreMs: null },
      ['database', 'edge-store'],
      { redirects: 'down', site: 'down', changes: 'unknown', clicks: 'limited', mail: 'unknown' },
    ],
  ])('with %o and red signals %j, not all parts work: %o', (facts, signals, not) => {
    const { parts } = publicStatus({ ...FACTS, ...facts }, bad(...signals), true);
    expect(
      Object.fromEntries(
        parts.filter(({ state }) => state !== 'works').map(({ part, state }) => [part, state]),
      ),
    ).toEqual(not);
  });

  it('says nothing of mails where none are sent', () => {
    const { parts } = publicStatus(FACTS, [], false);
    expect(parts.map(({ part }) => part)).toEqual(['redirects', 'site', 'changes', 'clicks']);
  });
});
