import { linkMessage, type LinkRefusal } from '#worker/messages/links.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { secondsToNextDay } from '#worker/http/allowances.ts';
import { ApiError } from '#worker/http/errors.ts';
import type { ChangeErrorReason } from './change-link.ts';
import type { DraftErrorReason } from './link-draft.ts';
import type { ShortenErrorReason } from './shorten.ts';
import type { LineErrorReason, ShortenManyErrorReason } from './shorten-many.ts';

export type LinkErrorReason =
  | DraftErrorReason
  | ShortenErrorReason
  | ShortenManyErrorReason
  | LineErrorReason
  | 'not_restorable'
  | 'invalid_picture'
  | 'too_many_cards'
  | 'passwords_busy'
  | ChangeErrorReason;

/**
 * The error code of each reason, the field of the request body that caused it, and the seconds
 * after which to try again. `upgradeRequired` of other reasons depends on the member's plan.
 */
const API_ERRORS: Record<
  LinkErrorReason,
  { code: ErrorCode; field?: string; retryAfter?: number | 'next day'; upgradeRequired?: boolean }
> = {
  invalid_target: { code: 'invalid_target', field: 'longUrl' },
  invalid_fallback: { code: 'invalid_target', field: 'fallbackUrl' },
  invalid_watch_fallback: { code: 'invalid_target', field: 'watchFallback' },
  invalid_rule: { code: 'invalid_target' },
  invalid_variant: { code: 'invalid_target' },
  end_before_start: { code: 'invalid_body', field: 'expiresAt' },
  reputation_unknown: { code: 'unavailable', retryAfter: 30 },
  outside_prefix: { code: 'invalid_alias', field: 'customCode' },
  invalid_alias: { code: 'invalid_alias', field: 'customCode' },
  reserved_alias: { code: 'reserved_alias', field: 'customCode' },
  sign_in_required: { code: 'unauthenticated' },
  invalid_expiry: { code: 'invalid_body', field: 'expiresAt' },
  unknown_domain: { code: 'invalid_body', field: 'domain' },
  domain_not_ready: { code: 'invalid_body', field: 'domain' },
  domain_suspended: { code: 'invalid_body', field: 'domain' },
  alias_taken: { code: 'alias_taken', field: 'customCode' },
  external_id_taken: { code: 'external_id_taken', field: 'externalId' },
  alias_held: { code: 'alias_taken', field: 'customCode' },
  upgrade_needed: { code: 'quota_reached', upgradeRequired: true },
  quota_used_up: { code: 'quota_reached', upgradeRequired: false },
  daily_limit_reached: { code: 'rate_limited', retryAfter: 'next day', upgradeRequired: false },
  no_free_code: { code: 'unavailable', retryAfter: 1 },
  no_free_codes: { code: 'unavailable', retryAfter: 1 },
  not_found: { code: 'not_found' },
  too_many_codes: { code: 'conflict', field: 'customCode' },
  held: { code: 'forbidden' },
  not_restorable: { code: 'forbidden' },
  changed_meanwhile: { code: 'conflict' },
  changed_since: { code: 'precondition_failed' },
  premium_only: { code: 'payment_required' },
  tag_not_found: { code: 'not_found' },
  tag_taken: { code: 'conflict', field: 'tags' },
  too_many_changes: { code: 'rate_limited', retryAfter: 'next day' },
  too_many_renames: { code: 'rate_limited', field: 'customCode', retryAfter: 'next day' },
  changed_too_often: { code: 'rate_limited', retryAfter: 60 },
  invalid_picture: { code: 'invalid_body', field: 'image' },
  too_many_cards: { code: 'conflict' },
  too_many_tags: { code: 'conflict', field: 'tags' },
  too_many_passwords: { code: 'invalid_body', field: 'password' },
  passwords_busy: { code: 'rate_limited', field: 'password', retryAfter: 5 },
};

/** Converts the reason for which a use case of links failed into the API error to throw. */
export function linkError(
  { reason, values = {}, ...plan }: LinkRefusal<LinkErrorReason> & { upgradeRequired?: boolean },
  now: number,
): ApiError {
  const { code, retryAfter, ...extra } = API_ERRORS[reason];
  const seconds =
    code === 'quota_reached'
      ? secondsUntil(values.resetsAt, now)
      : retryAfter === 'next day'
        ? secondsToNextDay(now)
        : retryAfter;
  return new ApiError(code, linkMessage({ reason, values }), {
    ...('upgradeRequired' in plan ? { upgradeRequired: plan.upgradeRequired } : {}),
    ...extra,
    ...(reason === 'invalid_rule' ? { field: `rules.${(values.rule ?? 1) - 1}.to` } : {}),
    ...(reason === 'invalid_variant' ? { field: `variants.${(values.variant ?? 1) - 1}.url` } : {}),
    ...(seconds === undefined ? {} : { retryAfter: seconds }),
  });
}

/** Whole seconds until a time (RFC 3339), at least one. Undefined for an unknown time. */
function secondsUntil(time: string | undefined, now: number): number | undefined {
  const end = Date.parse(time ?? '');
  return Number.isNaN(end) ? undefined : Math.max(1, Math.ceil((end - now) / 1000));
}
