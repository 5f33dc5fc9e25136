import { useSyncExternalStore } from 'react';

/**
 * Creates a value outside of React that components can subscribe to. `prerendered` returns the
 * build's value if it differs from the first one.
 */
export function createStore<State>(first: State, prerendered: () => State = () => first) {
  let state = first;
  const listeners = new Set<() => void>();
  const get = (): State => state;
  /** Calls `listener` after every change. Returns a function that unsubscribes it. */
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get,
    set(next: State): void {
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe,
    use: (): State => useSyncExternalStore(subscribe, get, prerendered),
  };
}
