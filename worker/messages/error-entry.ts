import type { ErrorCode } from '#contract/errors.ts';
import type { PlanType } from '#contract/site.ts';
import type { TargetReason } from './links.ts';

/** Values for the sentences. Each sentence uses the ones it needs. */
export type ErrorValues = { detail: string; amount: number; plan: PlanType; target: TargetReason };

export type ErrorExtra = { field?: string; upgradeRequired?: boolean; retryAfter?: number };

export type ErrorEntry = readonly [
  code: ErrorCode,
  text: string | ((values: ErrorValues) => string),
  extra?: ErrorExtra,
];

/** Sentences that several parts of the API say. */
export const STORAGE_DOWN = "We couldn't reach our database. Try again in a moment.";
export const UNKNOWN_ADDRESS = 'There is nothing at this address.';
export const NOT_JSON_TYPE = 'Send the body as application/json.';
