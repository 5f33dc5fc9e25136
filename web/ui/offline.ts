import { createContext, use, useEffect, useEffectEvent, useSyncExternalStore } from 'react';

/** The message of a request that was not sent. */
export const OFFLINE = 'You’re offline. Try again when your connection is back.';
/** For a form, which is sent again once the browser is online. */
const RETRIES_SENDING = 'You’re offline. We’ll send this when your connection is back.';
/** For a query, which loads again once the browser is online. */
export const RETRIES_LOADING = 'You’re offline. This loads when your connection is back.';

export const isOffline = (error: unknown): boolean =>
  error instanceof Error && error.message === OFFLINE;

/** True below a form, which repeats a submit that failed offline. */
export const RetriesOnline = createContext(false);

/** Returns an error's message. If the browser was offline, it says what happens next. */
export function useErrorText<Text>(message: Text): Text | string {
  const retries = use(RetriesOnline);
  return retries && typeof message === 'string'
    ? message.replace(OFFLINE, RETRIES_SENDING)
    : message;
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}

/** True unless the browser knows that it has no network. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );

/** Calls `retry` whenever the network comes back, while `waits`. */
export function useRetryOnline(waits: boolean, retry: () => void): void {
  const onOnline = useEffectEvent(retry);
  useEffect(() => {
    if (!waits) return;
    const listener = (): void => onOnline();
    window.addEventListener('online', listener);
    return () => window.removeEventListener('online', listener);
  }, [waits]);
}
