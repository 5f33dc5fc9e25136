import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useSettled } from './use-settled.ts';

afterEach(() => vi.useRealTimers());

it('a value settles once it has not changed for that long', () => {
  vi.useFakeTimers();
  const { result, rerender } = renderHook(({ value }) => useSettled(value, 200), {
    initialProps: { value: 'a' },
  });
  rerender({ value: 'b' });
  act(() => void vi.advanceTimersByTime(150));
  rerender({ value: 'c' });
  act(() => void vi.advanceTimersByTime(199));
  expect(result.current).toBe('a');
  act(() => void vi.advanceTimersByTime(1));
  expect(result.current).toBe('c');
});
