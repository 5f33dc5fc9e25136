import { onTestFinished, vi } from 'vitest';

/**
 * Stops the Worker's clock until the end of the test, so that no time limit passes and no minute or
 * day ends on a busy machine. Timers still run. Call it in a test or in `beforeEach`.
 */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
}
