import { useState, type ComponentProps, type ReactNode } from 'react';
import { lazyPopup } from '#web/ui/lazy-popup.tsx';
import type { CodeDialog } from './code-dialog.tsx';

const CodePopup = lazyPopup<ComponentProps<typeof CodeDialog>>(() =>
  import('./code-dialog.tsx').then((m) => m.CodeDialog),
);

type Asking = { answer: (isShown: boolean) => void };

/**
 * Sends requests that may need a code of the second factor. `run` asks for one if the server says
 * so, and then sends the request again. `dialog` belongs into the page.
 */
export function useCodeCheck(): {
  run: <T>(send: () => Promise<T>) => Promise<T>;
  dialog: ReactNode;
} {
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = (isShown: boolean): void => {
    asking?.answer(isShown);
    setAsking(null);
  };
  return {
    run: async (send) => {
      try {
        return await send();
      } catch (error) {
        if (!needsCode(error)) throw error;
        const isShown = await new Promise<boolean>((answer) => setAsking({ answer }));
        if (!isShown) throw error;
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
