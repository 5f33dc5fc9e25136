import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useAsyncAction } from './use-async-action.ts';

afterEach(cleanup);

/** An action whose runs the test can end in any order. */
function show() {
  const runs: { resolve: (output: string) => void; reject: (error: Error) => void }[] = [];
  const onDone = vi.fn();
  const action = (_input: string) =>
    new Promise<string>((resolve, reject) => runs.push({ resolve, reject }));
  const hook = renderHook(() => useAsyncAction(action, onDone));
  const start = (): void => act(() => hook.result.current.run('x'));
  const end = (index: number, outcome: string | Error): Promise<void> =>
    act(async () =>
      outcome instanceof Error ? runs[index]?.reject(outcome) : runs[index]?.resolve(outcome),
    );
  return { hook, onDone, start, end };
}

describe('useAsyncAction', () => {
  it('an action is pending until it succeeds, then has its data', async () => {
    const { hook, onDone, start, end } = show();
    expect(hook.result.current).toMatchObject({ pending: false, error: null, data: null });
    start();
    expect(hook.result.current).toMatchObject({ pending: true, error: null });
    await end(0, 'made');
    expect(hook.result.current).toMatchObject({ pending: false, error: null, data: 'made' });
    expect(onDone).toHaveBeenCalledExactlyOnceWith('made');
  });

  it('an action has the error of a failed run until the next run or reset', async () => {
    const { hook, onDone, start, end } = show();
    start();
    await end(0, new Error('first'));
    expect(hook.result.current).toMatchObject({ pending: false, error: new Error('first') });
    start();
    expect(hook.result.current).toMatchObject({ pending: true, error: null });
    await end(1, new Error('second'));
    act(() => hook.result.current.reset());
    expect(hook.result.current.error).toBeNull();
    expect(onDone).not.toHaveBeenCalled();
  });

  it('a failed run keeps the data of the run before until a reset', async () => {
    const { hook, start, end } = show();
    start();
    await end(0, 'made');
    start();
    await end(1, new Error('failed'));
    expect(hook.result.current).toMatchObject({ error: new Error('failed'), data: 'made' });
    act(() => hook.result.current.reset());
    expect(hook.result.current).toMatchObject({ error: null, data: null });
  });

  it('ignores an older run that ends after a newer one', async () => {
    const { hook, onDone, start, end } = show();
    start();
    start();
    await end(1, 'newer');
    await end(0, 'older');
    expect(hook.result.current).toMatchObject({ pending: false, error: null, data: 'newer' });
    expect(onDone).toHaveBeenCalledExactlyOnceWith('newer');
  });

  it('ignores an older run that fails after a newer one', async () => {
    const { hook, start, end } = show();
    start();
    start();
    await end(1, 'newer');
    await end(0, new Error('older'));
    expect(hook.result.current).toMatchObject({ pending: false, error: null, data: 'newer' });
  });

  it('an action stays pending when an older run ends before the newer one', async () => {
    const { hook, onDone, start, end } = show();
    start();
    start();
    await end(0, 'older');
    expect(hook.result.current).toMatchObject({ pending: true, data: null });
    expect(onDone).not.toHaveBeenCalled();
    await end(1, 'newer');
    expect(hook.result.current).toMatchObject({ pending: false, data: 'newer' });
  });

  it('onDone is not called after the component unmounts', async () => {
    const { hook, onDone, start, end } = show();
    start();
    hook.unmount();
    await end(0, 'late');
    expect(onDone).not.toHaveBeenCalled();
  });
});
