import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '#contract/errors.ts';
import { DAY_MS } from '#contract/time.ts';
import { linkError, type LinkErrorReason } from './link-errors.ts';

const NOW = 20_000 * DAY_MS + DAY_MS / 2;
const MIDNIGHT = DAY_MS / 2000;
/** The status, the field of the body and the seconds after which to retry. */
type Expected = [status: number, field: string | null, retryAfter: number | null];

const EXPECTED: Record<LinkErrorReason, Expected> = {
  invalid_target: [400, 'longUrl', null],
  invalid_fallback: [400, 'fallbackUrl', null],
  invalid_watch_fallback: [400, 'watchFallback', null],
  invalid_rule: [400, 'rules.1.to', null],
  invalid_variant: [400, 'variants.1.url', null],
  end_before_start: [400, 'expiresAt', null],
  reputation_unknown: [503, null, 30],
  outside_prefix: [400, 'customCode', null],
  invalid_alias: [400, 'customCode', null],
  reserved_alias: [400, 'customCode', null],
  sign_in_required: [401, null, null],
  invalid_expiry: [400, 'expiresAt', null],
  unknown_domain: [400, 'domain', null],
  domain_not_ready: [400, 'domain', null],
  domain_suspended: [400, 'domain', null],
  alias_taken: [409, 'customCode', null],
  external_id_taken: [409, 'externalId', null],
  alias_held: [409, 'customCode', null],
  upgrade_needed: [429, null, DAY_MS / 1000],
  quota_used_up: [429, null, DAY_MS / 1000],
  daily_limit_reached: [429, null, MIDNIGHT],
  no_free_code: [503, null, 1],
  no_free_codes: [503, null, 1],
  not_found: [404, null, null],
  too_many_codes: [409, 'customCode', null],
  held: [403, null, null],
  not_restorable: [403, null, null],
  changed_meanwhile: [409, null, null],
  changed_since: [412, null, null],
  premium_only: [402, null, null],
  tag_not_found: [404, null, null],
  tag_taken: [409, 'tags', null],
  too_many_changes: [429, null, MIDNIGHT],
  too_many_renames: [429, 'customCode', MIDNIGHT],
  changed_too_often: [429, null, 60],
  too_many_tags: [409, 'tags', null],
  invalid_picture: [400, 'image', null],
  too_many_cards: [409, null, null],
  too_many_passwords: [400, 'password', null],
  passwords_busy: [429, 'password', 5],
};
const values = { rule: 2, variant: 2, resetsAt: new Date(NOW + DAY_MS).toISOString() };
const REASONS = Object.keys(EXPECTED).filter(
  (reason): reason is LinkErrorReason => reason in EXPECTED,
);

describe('linkError', () => {
  it.each(REASONS)('returns status, field and time to retry for %s', (reason) => {
    const { code, extra } = linkError({ ok: false, reason, values }, NOW);
    const { field = null, retryAfter = null } = extra;
    expect([ERROR_CODES[code], field, retryAfter]).toEqual(EXPECTED[reason]);
  });

  it.each([
    ['upgrade_needed', false, true],
    ['quota_used_up', true, false],
    ['too_many_changes', true, true],
    ['too_many_renames', false, false],
    ['changed_too_often', false, false],
  ] as const)('offers Premium where it helps: %s', (reason, upgradeRequired, expected) => {
    const { extra } = linkError({ ok: false, reason, values, upgradeRequired }, NOW);
    expect(extra.upgradeRequired).toBe(expected);
  });
});
