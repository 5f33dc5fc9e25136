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
  | 'import_too_long'
  | ChangeErrorReason;

/** The error code of each reason, and the field of the request body that caused it. */
const API_ERRORS: Record<LinkErrorReason, { code: ErrorCode; field?: string }> = {
  invalid_target: { code: 'invalid_target', field: 'longUrl' },
  reputation_unknown: { code: 'unavailable' },
  outside_prefix: { code: 'invalid_alias', field: 'customCode' },
  invalid_alias: { code: 'invalid_alias', field: 'customCode' },
  reserved_alias: { code: 'reserved_alias', field: 'customCode' },
  sign_in_required: { code: 'unauthenticated' },
  invalid_expiry: { code: 'invalid_body', field: 'expiresAt' },
  alias_taken: { code: 'alias_taken', field: 'customCode' },
  external_id_taken: { code: 'external_id_taken', field: 'externalId' },
  alias_held: { code: 'alias_taken', field: 'customCode' },
  upgrade_needed: { code: 'quota_reached' },
  quota_used_up: { code: 'quota_reached' },
  daily_limit_reached: { code: 'rate_limited' },
  no_free_code: { code: 'unavailable' },
  no_free_codes: { code: 'unavailable' },
  not_found: { code: 'not_found' },
  too_many_codes: { code: 'conflict', field: 'customCode' },
  held: { code: 'forbidden' },
  changed_meanwhile: { code: 'conflict' },
  premium_only: { code: 'payment_required' },
  import_too_long: { code: 'payment_required' },
  tag_not_found: { code: 'not_found' },
  tag_taken: { code: 'conflict', field: 'tags' },
  too_many_changes: { code: 'rate_limited' },
  too_many_renames: { code: 'rate_limited', field: 'customCode' },
  changed_too_often: { code: 'rate_limited' },
  too_many_tags: { code: 'conflict', field: 'tags' },
};

/** Converts the reason for which a use case of links failed into the API error to throw. */
export function linkError(
  {
    reason,
    values = {},
    upgradeRequired = false,
  }: LinkRefusal<LinkErrorReason> & { upgradeRequired?: boolean },
  now: number,
): ApiError {
  const { code, ...field } = API_ERRORS[reason];
  const message = linkMessage({ reason, values });
  switch (reason) {
    case 'upgrade_needed':
      return new ApiError(code, message, { upgradeRequired: true });
    case 'quota_used_up':
      return new ApiError(code, message, { upgradeRequired: false });
    case 'daily_limit_reached':
      return new ApiError(code, message, {
        upgradeRequired: false,
        retryAfter: secondsToNextDay(now),
      });
    case 'too_many_changes':
    case 'too_many_renames':
      return new ApiError(code, message, {
        ...field,
        upgradeRequired,
        retryAfter: secondsToNextDay(now),
      });
    case 'changed_too_often':
      return new ApiError(code, message, { upgradeRequired, retryAfter: 60 });
    case 'reputation_unknown':
      return new ApiError(code, message, { retryAfter: 30 });
    case 'no_free_code':
    case 'no_free_codes':
      return new ApiError(code, message, { retryAfter: 1 });
    default:
      return new ApiError(code, message, field);
  }
}
