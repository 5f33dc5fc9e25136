import type { SignalState } from '#contract/system/system.ts';
import type { SignalReason, SignalValues } from '#worker/messages/system.ts';

/** `since`: when the state began, in ms since 1970; null if unknown. */
export type Evaluation = {
  state: SignalState;
  reason: SignalReason;
  values: Partial<SignalValues>;
  since: number | null;
};
const evaluation =
  (state: SignalState) =>
  (
    reason: SignalReason,
    values: Partial<SignalValues> = {},
    since: number | null = null,
  ): Evaluation => ({ state, reason, values, since });
export const ok = evaluation('ok');
export const warn = evaluation('warn');
export const bad = evaluation('bad');
export const unknown = evaluation('unknown');
