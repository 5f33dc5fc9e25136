import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import type { DueLink } from './find-due.ts';
import { planRun } from './plan-run.ts';

/** Half past ten in the morning of a day (UTC). */
const NOW = 1_800_000_000_000 - (1_800_000_000_000 % DAY_MS) + 10.5 * 60 * MINUTE_MS;
const MIDNIGHT = NOW + 13.5 * 60 * MINUTE_MS;
let serial = 0;
const dueLink = (more: Partial<DueLink> = {}): DueLink => {
  const host = `h${++serial}.test`;
  const url = `https://${host}/`;
  return {
    id: serial,
    userId: 'u',
    watch: 'on',
    hasPassword: false,
    isRedirecting: true,
    dueAt: 0,
    target: url,
    home: url,
    lastUsedAt: NOW,
    health: null,
    step: { url, method: 'HEAD', hops: 0 },
    hasBegun: false,
    host,
    ...more,
  };
};
const LIMITS = { hosts: 10, checks: 10, checksOf: () => 10 };
/** The ids of links to check, and until when the others wait; `left` of neither. */
const plan = (due: DueLink[], limits: Partial<typeof LIMITS> = {}, freeAt = new Map()) => {
  const { requests, postponed, left } = planRun(due, freeAt, { ...LIMITS, ...limits }, NOW);
  const waits = postponed.map(({ link, until, reason }) => [link.id, until, reason]);
  return { requests: requests.map(({ id }) => id), waits, left };
};

describe('planRun', () => {
  it('gives links of one host a turn each, a minute apart, once the host is free', () => {
    const host = 'crowd.test';
    const due = [dueLink({ host }), dueLink({ host }), dueLink({ host })];
    const [a, b, c] = due.map(({ id }) => id);
    expect(plan(due)).toEqual({
      requests: [a],
      waits: [
        [b, NOW + MINUTE_MS, null],
        [c, NOW + 2 * MINUTE_MS, null],
      ],
      left: 0,
    });
    const until = NOW + 5_000;
    expect(plan(due, {}, new Map([[host, until]])).waits).toEqual([
      [a, until, null],
      [b, until + MINUTE_MS, null],
      [c, until + 2 * MINUTE_MS, null],
    ]);
    expect(plan(due, {}, new Map([[host, NOW]])).requests).toEqual([a]);
  });

  it('begins as many checks as an account may today, and continues every check', () => {
    const due = [dueLink(), dueLink(), dueLink({ userId: 'v' }), dueLink({ hasBegun: true })];
    const [a, b, c, begun] = due.map(({ id }) => id);
    expect(plan(due, { checksOf: () => 1 })).toEqual({
      requests: [a, c, begun],
      waits: [[b, MIDNIGHT, null]],
      left: 0,
    });
    expect(plan(due.toReversed(), { checks: 1 })).toEqual({
      requests: [begun, c],
      waits: [],
      left: 2,
    });
    expect(plan(due, { checks: 0, checksOf: () => 9 })).toMatchObject({
      requests: [begun],
      left: 3,
    });
    const own = [dueLink({ hasBegun: true }), dueLink(), dueLink()];
    expect(plan(own, { checks: 1, checksOf: () => 1 }).requests).toEqual([own[0]?.id, own[1]?.id]);
  });

  it('asks as many hosts as a run may', () => {
    const due = [dueLink(), dueLink(), dueLink({ hasBegun: true })];
    expect(plan(due, { hosts: 2 })).toMatchObject({ requests: [due[0]?.id, due[1]?.id], left: 1 });
  });

  it('looks a day later at links that are not checked, and says why of some', () => {
    const once = 'https://e.test/?token=7';
    const due = [
      dueLink({ isRedirecting: false }),
      dueLink({ lastUsedAt: NOW - 181 * DAY_MS }),
      dueLink({ hasPassword: true, home: once }),
      dueLink({ home: once }),
      dueLink({ home: once, hasPassword: true, watch: 'always' }),
    ];
    const ids = due.map(({ id }) => id);
    expect(plan(due)).toEqual({
      requests: [ids[4]],
      waits: [null, null, 'password', 'one_time'].map((why, at) => [ids[at], NOW + DAY_MS, why]),
      left: 0,
    });
  });
});
