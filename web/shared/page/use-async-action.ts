import { useEffect, useRef, useState } from 'react';

export type AsyncAction<Input, Output> = {
  pending: boolean;
  /** The error of the last run; null while it runs and after it succeeds. */
  error: unknown;
  data: Output | null;
  run: (input: Input) => void;
  /** Forgets the error and the data of earlier runs. A run that is under way goes on. */
  reset: () => void;
};

/**
 * Runs an asynchronous action and tracks its state, for screens without the query cache. If runs
 * overlap, only the latest one counts, whichever ends last. Nothing is reported after the component
 * unmounts.
 */
export function useAsyncAction<Input, Output>(
  action: (input: Input) => Promise<Output>,
  onDone?: (output: Output) => void,
): AsyncAction<Input, Output> {
  const [state, setState] = useState<{ pending: boolean; error: unknown; data: Output | null }>({
    pending: false,
    error: null,
    data: null,
  });
  const latestRun = useRef(0);
  useEffect(
    () => () => {
      latestRun.current = -1;
    },
    [],
  );
  const run = (input: Input): void => {
    const thisRun = Math.max(0, latestRun.current) + 1;
    latestRun.current = thisRun;
    setState((before) => ({ ...before, pending: true, error: null }));
    action(input).then(
      (data) => {
        if (latestRun.current !== thisRun) return;
        setState({ pending: false, error: null, data });
        onDone?.(data);
      },
      (error: unknown) => {
        if (latestRun.current === thisRun)
          setState((before) => ({ ...before, pending: false, error }));
      },
    );
  };
  const reset = (): void => setState((before) => ({ ...before, error: null, data: null }));
  return { ...state, run, reset };
}
