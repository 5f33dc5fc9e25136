import { onTestFinished, vi } from 'vitest';

/**
 * Stops the Worker's clock until the end of the test: on a busy machine no limit of time passes,
 * and no minute or day ends, while the test runs. Timers still run. Call it in a test or in
 * `beforeEach`.
 */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
}
