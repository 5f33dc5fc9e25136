import { useEffect, useRef } from 'react';

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

/** The check that a person is asking; its script loads only where the deployment has a key for it. */
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
  return loading;
}

export function TurnstileBox({ siteKey, onToken }: { siteKey: string; onToken: (token: string) => void }) {
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
      () => onToken(''),
    );
    return () => {
      current = false;
      remove();
    };
  }, [siteKey, onToken]);
  return <div ref={box} className="min-h-16" />;
}
