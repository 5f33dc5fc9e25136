import { describe, expect, it } from 'vitest';
import type { DomainRecord } from '#contract/domains.ts';
import { CNAME_RECORD, makeDomain, TXT_RECORD } from '#web/testing/make-domain.ts';
import { describeChecks, describeDomain, describeRecord } from './describe-domain.ts';

const missing: DomainRecord = { ...CNAME_RECORD, state: 'missing', seen: [] };

describe('describeDomain', () => {
  it.each([
    ['record_missing', /^We can’t see the record yet/],
    ['wrong_value', /^A record has another value/],
    ['proxied_elsewhere', /^The CNAME record goes through the proxy/],
    ['caa_forbids', /^A CAA record of the domain/],
    ['held_by_another', /^Another account uses this domain/],
    ['certificate_pending', /^The records are right/],
    ['too_many_tries', /^We stopped checking/],
    ['moved', /^The domain no longer points to us/],
    ['blocked', /^Cloudflare has blocked this domain/],
    ['deleted', /^The connection was deleted/],
    ['quota_reached', /^This site can hold no more domains/],
    ['platform_unavailable', /^We couldn’t reach Cloudflare/],
  ] as const)('says what %s means', (fault, text) => {
    expect(describeDomain(makeDomain({ fault }))).toMatch(text);
  });

  it('names the step, and a fault only after the first check', () => {
    const unproven = makeDomain({ state: 'unproven', fault: 'record_missing' });
    expect(describeDomain(unproven)).toMatch(/^Step 1 of 2.*We can’t see the record yet/);
    expect(describeDomain({ ...unproven, checkedAt: null })).toMatch(/domain is yours\.$/);
    const pending = makeDomain({ state: 'pending', records: [TXT_RECORD, missing] });
    expect(describeDomain(pending)).toMatch(/^Step 2 of 2.*Keep the TXT record\.$/);
    expect(describeDomain({ ...pending, fault: 'moved' })).toMatch(/^Step 2 of 2.*points to us/);
  });

  it.each([
    [null, 'stopped this domain. Its links'],
    ['', 'stopped this domain. Its links'],
    ['Phishing', 'stopped this domain: Phishing. Its links'],
    ['Phishing.', 'stopped this domain: Phishing. Its links'],
  ])('gives the reason %j of a suspension as a sentence', (suspendedReason, text) => {
    expect(describeDomain(makeDomain({ state: 'suspended', suspendedReason }))).toContain(text);
  });

  it('says that checks failed where no fault is known', () => {
    expect(describeDomain(makeDomain({ state: 'failing' }))).toMatch(/^The last checks failed\./);
  });
});

describe('describeRecord', () => {
  it.each([
    ['right', ['x'], 'Found'],
    ['unknown', [], 'Not checked yet'],
    ['missing', [], 'Not found yet'],
    ['wrong', [], 'Has another value'],
    ['wrong', ['a', 'b'], 'Found instead: a, b'],
  ] as const)('describes a record that is %s with %j', (state, seen, text) => {
    expect(describeRecord({ ...CNAME_RECORD, state, seen: [...seen] })).toBe(text);
  });
});

describe('describeChecks', () => {
  it('asks for the page to stay open only before the proof', () => {
    expect(describeChecks('unproven')).toMatch(/^This page checks while it is open/);
    for (const state of ['pending', 'failing'] as const)
      expect(describeChecks(state)).toMatch(/also when you close this page\.$/);
  });
});
