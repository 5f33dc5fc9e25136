import { useEffect, useState } from 'react';

/** Returns the last `value` that stayed the same for `ms`, so that typing sends few requests. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
