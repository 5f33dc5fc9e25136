import { Toast } from '@base-ui/react/toast';
import { clsx } from 'clsx';
import { Check, CircleAlert, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { buttonClass } from './button.tsx';
import { onToast, takeToasts, waitingToasts, type Toast as Message } from './announcer.ts';

const TOAST_DURATION_MS = 5_000;
const ACTION_DURATION_MS = 10_000;

/** The space in px that toasts need at the bottom of the window. */
const TOAST_SPACE = 140;

const isAtBottom = (element: Element): boolean =>
  element.getBoundingClientRect().bottom > window.innerHeight - TOAST_SPACE;

/**
 * True if a toast at the bottom would cover the control that it is about, or the buttons of a
 * dialog, which are needed next. Without a control, the page itself has the focus. A bar for the
 * selected rows has its own space below toasts (base.css).
 */
const coversControl = ({ focused }: Message): boolean =>
  (focused !== null && focused !== document.body && isAtBottom(focused)) ||
  [...document.querySelectorAll('[role="dialog"]')].some(isAtBottom);

/**
 * Shows at most three toasts. They stay while the pointer or the focus is on them; F6 moves the
 * focus there.
 */
export function ToastList() {
  return (
    <Toast.Provider timeout={TOAST_DURATION_MS}>
      <Toasts />
    </Toast.Provider>
  );
}

function Toasts() {
  const { toasts, add, close } = Toast.useToastManager();
  const [onTop, setOnTop] = useState(false);
  const lastError = useRef<string>(null);
  useEffect(() => {
    const show = (): void => {
      if (waitingToasts().length === 0) return;
      const messages = takeToasts();
      setOnTop(messages.some(coversControl));
      for (const { text, note, tone, action } of messages) {
        const onClick = (): void => {
          close(id);
          action?.onSelect();
        };
        const id = add({
          title: text,
          description: note,
          type: tone,
          ...(action !== null && {
            timeout: ACTION_DURATION_MS,
            actionProps: { children: action.label, onClick },
          }),
        });
        if (tone !== 'bad') continue;
        // An error replaces the one before it, so that repeated attempts do not pile up.
        if (lastError.current !== null) close(lastError.current);
        lastError.current = id;
      }
    };
    show();
    return onToast(show);
  }, [add, close]);
  return (
    <Toast.Portal>
      <Toast.Viewport
        // The role of each toast announces it.
        aria-live="off"
        className={clsx(
          'pointer-events-none fixed inset-x-4 z-60 flex flex-col items-center gap-2 outline-none sm:items-end',
          onTop ? 'top-18' : 'bottom-[calc(1rem+var(--bar-space,0px))]',
        )}
      >
        {toasts.map((item) => (
          <Toast.Root
            key={item.id}
            toast={item}
            role="alert"
            aria-modal={undefined}
            tabIndex={-1}
            swipeDirection={['right', 'left', 'down']}
            className="pointer-events-auto flex w-full max-w-form translate-x-(--toast-swipe-movement-x) translate-y-(--toast-swipe-movement-y) animate-appear items-start gap-2.5 rounded-lg border border-line bg-raised py-2 ps-3.5 pe-2 text-14 shadow-float select-none data-limited:hidden sm:w-auto"
          >
            {item.type === 'good' ? (
              <Check className="mt-1.5 size-4 shrink-0 text-good" />
            ) : (
              <CircleAlert className="mt-1.5 size-4 shrink-0 text-bad" />
            )}
            {/* A long button is below the text where both do not fit. */}
            <div className="flex min-w-0 flex-1 flex-wrap gap-x-2.5">
              <Toast.Content className="min-w-0 flex-1 basis-36 py-1 [overflow-wrap:anywhere]">
                <Toast.Title render={<p />} />
                {item.description !== '' && <Toast.Description className="text-13 text-ink-3" />}
              </Toast.Content>
              {item.actionProps !== undefined && (
                <Toast.Action className={buttonClass({ size: 'sm' })} />
              )}
            </div>
            <Toast.Close
              aria-label="Dismiss"
              aria-hidden={false}
              className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-ink-3 hover:bg-hover hover:text-ink active:bg-pressed pointer-coarse:size-11"
            >
              <X className="size-4" />
            </Toast.Close>
          </Toast.Root>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  );
}
