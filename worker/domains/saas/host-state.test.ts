import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import type { SeenDns } from '#worker/domains/proof/read-dns.ts';
import { isMailDue, nextState, pauseBefore, type HostState } from './host-state.ts';
import type { PlatformFault } from './platform.ts';

const NOW = 1_800_000_000_000;
const START: HostState = {
  saas_id: 'h',
  saas_status: 'pending',
  ssl_status: '',
  fault: '',
  active_at: null,
  failing_since: null,
  mails: 0,
  checks: 3,
  next_check_at: 1,
};
const WORKED: HostState = { ...START, active_at: NOW - DAY_MS, checks: 0 };
const dns = (state: SeenDns['cname']['state'] = 'right', more: Partial<SeenDns> = {}): SeenDns => ({
  txt: { state: 'right', seen: [] },
  cname: { state, seen: [] },
  isProxied: false,
  isForbidden: false,
  ...more,
});
const shown = (status: string, sslStatus: string) =>
  ({ ok: true, value: { id: 'h', host: 'go.acme.test', status, sslStatus } }) as const;
const fails = (reason: PlatformFault) => ({ ok: false, reason }) as const;

describe('nextState', () => {
  it.each([
    ['active', 'active', START, true],
    ['active_redeploying', 'active', START, true],
    ['active', 'pending_validation', START, false],
    // A certificate that is renewed works until it has expired.
    ['active', 'pending_validation', WORKED, true],
    ['active', 'expired', WORKED, false],
    ['active', 'deleted', WORKED, false],
    ['active', 'validation_timed_out', WORKED, false],
    ['pending', 'active', WORKED, false],
  ])(
    'judges whether a host that is %s with certificate %s works',
    (status, sslStatus, host, isUp) => {
      const next = nextState({ ...host, mails: 1 }, shown(status, sslStatus), dns(), NOW);
      expect(next.fault === '').toBe(isUp);
      if (isUp)
        expect(next).toMatchObject({
          active_at: host.active_at ?? NOW,
          failing_since: null,
          mails: 0,
          checks: 0,
          next_check_at: NOW + 6 * HOUR_MS,
        });
    },
  );

  it.each<[string, Parameters<typeof nextState>[1], SeenDns]>([
    ['blocked', shown('blocked', ''), dns('missing')],
    ['caa_forbids', shown('pending', ''), dns('right', { isForbidden: true })],
    ['record_missing', shown('pending', ''), dns('missing', { isForbidden: true })],
    ['deleted', null, dns()],
    ['deleted', fails('not_found'), dns()],
    ['moved', shown('moved', ''), dns()],
    ['moved', shown('moved', ''), dns('wrong')],
    ['proxied_elsewhere', shown('moved', ''), dns('wrong', { isProxied: true })],
    ['wrong_value', shown('pending', ''), dns('wrong')],
    ['certificate_pending', shown('pending', ''), dns()],
    ['certificate_pending', shown('pending', ''), dns('unknown')],
    ['quota_reached', fails('quota'), dns()],
    ['blocked', fails('refused'), dns()],
  ])('says %s for %j', (fault, platform, seen) => {
    expect(nextState(START, platform, seen, NOW)).toMatchObject({ fault, checks: 4 });
  });

  it.each(['limited', 'unavailable'] as const)('counts no check while it is %s', (reason) => {
    expect(nextState(WORKED, fails(reason), dns('missing'), NOW)).toEqual({
      ...WORKED,
      fault: 'platform_unavailable',
      next_check_at: NOW + 10 * MINUTE_MS,
    });
  });

  it('gives a host up that has never worked after 75 checks', () => {
    const after = (checks: number) =>
      nextState({ ...START, checks }, shown('pending', ''), dns('missing'), NOW);
    expect(after(73)).toMatchObject({ fault: 'record_missing', next_check_at: expect.any(Number) });
    expect(after(74)).toMatchObject({ fault: 'too_many_tries', next_check_at: null });
  });

  it('checks a host that worked every hour, and after a week every day', () => {
    const after = (failing_since: number | null) =>
      nextState({ ...WORKED, checks: 200, failing_since }, null, dns('missing'), NOW);
    const [week, longer] = [NOW - 7 * DAY_MS, NOW - 7 * DAY_MS - 1];
    expect(after(null)).toMatchObject({ failing_since: NOW, next_check_at: NOW + HOUR_MS });
    expect(after(week)).toMatchObject({ failing_since: week, next_check_at: NOW + HOUR_MS });
    expect(after(longer)).toMatchObject({ failing_since: longer, next_check_at: NOW + DAY_MS });
  });
});

describe('pauseBefore', () => {
  it('the pause is two minutes for ten checks and grows to four hours', () => {
    expect([0, 9, 10, 11, 40].map((checks) => pauseBefore(checks) / MINUTE_MS)).toEqual([
      2, 2, 3, 4.5, 240,
    ]);
  });
});

describe('isMailDue', () => {
  it.each([
    [0, DAY_MS - 1, false],
    [0, DAY_MS, true],
    [1, 3 * DAY_MS - 1, false],
    [1, 3 * DAY_MS, true],
    [2, 6 * DAY_MS, true],
    [3, 60 * DAY_MS, false],
  ])('after %i mails and %i ms is %s', (mails, ms, isDue) => {
    expect(isMailDue({ ...WORKED, mails, failing_since: NOW - ms }, NOW)).toBe(isDue);
    expect(isMailDue({ ...WORKED, mails, failing_since: null }, NOW)).toBe(false);
  });
});
