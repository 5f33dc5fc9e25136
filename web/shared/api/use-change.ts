import { useEffect, useRef } from 'react';

/**
 * Calls `onChange` with the previous value if `value` has changed since the last render. The first
 * value does not count.
 */
export function useChange<Value>(value: Value, onChange: (before: Value) => void): void {
  const last = useRef(value);
  useEffect(() => {
    const before = last.current;
    if (Object.is(before, value)) return;
    last.current = value;
    onChange(before);
  });
}
