import { expect, onTestFinished, vi } from 'vitest';

/** Matches a fingerprint of `worker/auth/service/sign-in-log.ts`. */
export const FINGERPRINT = expect.stringMatching(/^[\da-f]{16}$/);

/**
 * Collects log lines until the end of the test. Returns a function that parses those written so
 * far.
 */
export function logLines(): () => Record<string, unknown>[] {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  onTestFinished(() => log.mockRestore());
  return () => lines.map((line): Record<string, unknown> => JSON.parse(line));
}
