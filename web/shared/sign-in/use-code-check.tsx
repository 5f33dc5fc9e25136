import { useState, type ReactNode } from 'react';
import { lazyPopup } from '#web/ui/lazy-popup.tsx';

const CodePopup = lazyPopup(() => import('./code-dialog.tsx').then((m) => m.CodeDialog));

type Asking = { answer: (isVerified: boolean) => void };

/**
 * Sends requests that may need a recent code of the second factor. If the server asks for one,
 * `run` opens the dialog and sends the request again after the code. The page has to show `dialog`.
 */
export function useCodeCheck(): {
  run: <T>(send: () => Promise<T>) => Promise<T>;
  dialog: ReactNode;
} {
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = (isVerified: boolean): void => {
    asking?.answer(isVerified);
    setAsking(null);
  };
  return {
    run: async (send) => {
      try {
        return await send();
      } catch (error) {
        if (!needsCode(error)) throw error;
        const isVerified = await new Promise<boolean>((answer) => setAsking({ answer }));
        if (!isVerified) throw error;
        return send();
      }
    },
    dialog: asking !== null && (
      <CodePopup onDone={() => close(true)} onClose={() => close(false)} />
    ),
  };
}

/** True for the errors of the API and of the sign-in service that ask for a recent code. */
function needsCode(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const body = 'body' in error && typeof error.body === 'object' ? error.body : error;
  return body !== null && 'code' in body && body.code === 'second_factor_required';
}
