import { SHARED_REPORTS_MAX } from '#contract/limits.ts';
import type { ErrorEntry } from './error-entry.ts';

export const SHARED_REPORT_ERRORS = {
  not_own_shared_report: ['not_found', "We couldn't find that shared report in your account."],
  shared_ends_in_past: [
    'invalid_body',
    'The end is in the past. Choose a later one.',
    { field: 'expiresAt' },
  ],
  too_many_shared_reports: [
    'conflict',
    `You share ${SHARED_REPORTS_MAX} reports, the most an account can have. Stop sharing one that is no longer needed.`,
  ],
  unknown_shared_report: [
    'not_found',
    'This report is no longer shared, or its address is incomplete. Ask the person who sent it to you.',
  ],
  shared_password_needed: ['forbidden', 'This report needs a password.', { field: 'password' }],
  shared_password_wrong: ['forbidden', 'This password is not correct.', { field: 'password' }],
  shared_passwords_limited: [
    'rate_limited',
    'Too many wrong passwords. Try again later.',
    { upgradeRequired: false, field: 'password' },
  ],
  passwords_busy: [
    'rate_limited',
    'Many passwords are being checked at this moment. Try again in a few seconds.',
    { upgradeRequired: false, retryAfter: 5 },
  ],
} as const satisfies Record<string, ErrorEntry>;
