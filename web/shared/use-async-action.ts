import { useEffect, useRef, useState } from 'react';

export type Call<Input, Output> = {
  pending: boolean;
  /** What the last run failed with; null while it runs and after a success. */
  error: unknown;
  data: Output | null;
  run: (input: Input) => void;
  /** Forgets the failure. */
  reset: () => void;
};

/**
 * One asynchronous call of a component and what became of it: for screens that do without the query cache. A newer run wins
 * over an older; nothing is told to a component that is gone.
 */
export function useAsyncAction<Input, Output>(
  work: (input: Input) => Promise<Output>,
  onDone?: (output: Output) => void,
): Call<Input, Output> {
  const [state, setState] = useState<{ pending: boolean; error: unknown; data: Output | null }>({
    pending: false,
    error: null,
    data: null,
  });
  const latest = useRef(0);
  useEffect(
    () => () => {
      latest.current = -1;
    },
    [],
  );
  const run = (input: Input): void => {
    const mine = Math.max(0, latest.current) + 1;
    latest.current = mine;
    setState((before) => ({ ...before, pending: true, error: null }));
    work(input).then(
      (data) => {
        if (latest.current !== mine) return;
        setState({ pending: false, error: null, data });
        onDone?.(data);
      },
      (error: unknown) => {
        if (latest.current === mine) setState((before) => ({ ...before, pending: false, error }));
      },
    );
  };
  return { ...state, run, reset: () => setState((before) => ({ ...before, error: null })) };
}
