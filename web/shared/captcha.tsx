import { useCallback, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { config } from './config.ts';

const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';
type Turnstile = {
  render: (element: HTMLElement, options: { sitekey: string; callback: (token: string) => void }) => string;
  remove: (id: string) => void;
};
declare global {
  interface Window {
    turnstile?: Turnstile;
  }
}

let loading: Promise<Turnstile> | undefined;

/** The captcha's script, loaded only where the deployment has a key for it. After a failure the next form tries again. */
function loadTurnstile(): Promise<Turnstile> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = SCRIPT;
    script.async = true;
    script.addEventListener('load', () =>
      window.turnstile === undefined ? reject(new Error('Turnstile did not start.')) : resolve(window.turnstile),
    );
    script.addEventListener('error', () => reject(new Error('Turnstile did not load.')));
    document.head.append(script);
  });
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

/** `onToken` gets null where the captcha cannot be shown. */
function TurnstileBox({ siteKey, onToken }: { siteKey: string; onToken: (token: string | null) => void }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let remove = (): void => undefined;
    let current = true;
    loadTurnstile().then(
      (turnstile) => {
        if (!current || box.current === null) return;
        const id = turnstile.render(box.current, { sitekey: siteKey, callback: onToken });
        remove = () => turnstile.remove(id);
      },
      () => {
        if (current) onToken(null);
      },
    );
    return () => {
      current = false;
      remove();
    };
  }, [siteKey, onToken]);
  return <div ref={box} className="min-h-16" />;
}

export type Captcha = {
  /** Stands in the form; nothing without a configured key. */
  box: ReactNode;
  /** '' where there is none (yet). */
  token: string;
  /** False while the captcha is being solved. Where it cannot be shown the form may be sent, and the server says why not. */
  ready: boolean;
  /** Asks for another token: each is good for one request. */
  renew: () => void;
};

/** The check that a person is asking, for forms that send mail or that anybody may use. */
export function useCaptcha(): Captcha {
  const [round, setRound] = useState(0);
  const [token, setToken] = useState('');
  const [failed, setFailed] = useState(false);
  const onToken = useCallback((value: string | null): void => {
    setToken(value ?? '');
    setFailed(value === null);
  }, []);
  const renew = useCallback((): void => {
    setToken('');
    setRound((before) => before + 1);
  }, []);
  const siteKey = config.turnstileSiteKey;
  return {
    box: siteKey === '' ? null : <TurnstileBox key={round} siteKey={siteKey} onToken={onToken} />,
    token,
    ready: siteKey === '' || token !== '' || failed,
    renew,
  };
}
