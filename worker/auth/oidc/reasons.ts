import type { SsoFailure } from '#contract/sign-in/sso.ts';

/** `detail` is what the protocol calls the fault: no token, no address and no claim's value. */
export type Failed = { ok: false; failure: SsoFailure; detail: string };

export const fail = (failure: SsoFailure, detail = ''): Failed => ({ ok: false, failure, detail });

const DETAIL_MAX = 200;

export const shortenDetail = (detail: string): string => detail.slice(0, DETAIL_MAX);
