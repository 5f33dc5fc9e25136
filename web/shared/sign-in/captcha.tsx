import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { config } from '#web/shared/page/config.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';

const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';
type Turnstile = {
  render: (
    element: HTMLElement,
    options: { sitekey: string; callback: (token: string) => void },
  ) => string;
  remove: (id: string) => void;
};
declare global {
  interface Window {
    turnstile?: Turnstile;
  }
}

let loading: Promise<Turnstile> | undefined;

/** Loads Turnstile's script once. After a failure the next form tries again. */
function loadTurnstile(): Promise<Turnstile> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = SCRIPT;
    script.async = true;
    script.addEventListener('load', () =>
      window.turnstile === undefined
        ? reject(new Error('Turnstile did not start.'))
        : resolve(window.turnstile),
    );
    script.addEventListener('error', () => reject(new Error('Turnstile did not load.')));
    document.head.append(script);
  });
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

/** `onToken` receives null if the captcha cannot be shown. */
function TurnstileWidget({
  siteKey,
  onToken,
}: {
  siteKey: string;
  onToken: (token: string | null) => void;
}) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let remove = (): void => undefined;
    let isMounted = true;
    loadTurnstile().then(
      (turnstile) => {
        if (!isMounted || container.current === null) return;
        const id = turnstile.render(container.current, { sitekey: siteKey, callback: onToken });
        remove = () => turnstile.remove(id);
      },
      () => {
        if (isMounted) onToken(null);
      },
    );
    return () => {
      isMounted = false;
      remove();
    };
  }, [siteKey, onToken]);
  return <div ref={container} className="min-h-16" />;
}

export type Captcha = {
  /** Render this inside the form. Null if no captcha is configured. */
  widget: ReactNode;
  /** '' until the captcha is solved. */
  token: string;
  /**
   * False until the captcha is solved. True if it cannot be shown: the server then responds with an
   * error that the form displays.
   */
  isReady: boolean;
  /** Shows a new captcha, because every token is valid for one request only. */
  reset: () => void;
};

/** A captcha for forms that send mail or that anyone may use. */
export function useCaptcha(): Captcha {
  const [attempt, setAttempt] = useState(0);
  const [token, setToken] = useState('');
  const [failed, setFailed] = useState(false);
  const onToken = useCallback((value: string | null): void => {
    setToken(value ?? '');
    setFailed(value === null);
  }, []);
  const reset = useCallback((): void => {
    setToken('');
    setAttempt((before) => before + 1);
  }, []);
  const siteKey = config.turnstileSiteKey;
  return {
    widget:
      siteKey === '' ? null : <TurnstileWidget key={attempt} siteKey={siteKey} onToken={onToken} />,
    token,
    isReady: siteKey === '' || token !== '' || failed,
    reset,
  };
}

/**
 * An action with the token of a captcha ('' if none is configured). A new captcha replaces the old
 * one after every run.
 */
export function useCaptchaAction<Output>(
  action: (captchaToken: string) => Promise<Output>,
  onDone?: (output: Output) => void,
) {
  const captcha = useCaptcha();
  const send = (): Promise<Output> => action(captcha.token).finally(captcha.reset);
  return { captcha, ...useAsyncAction<void, Output>(send, onDone) };
}
