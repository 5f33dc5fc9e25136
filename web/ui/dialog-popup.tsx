import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { recoverFocus } from '#web/shared/use-heading-focus.ts';

export type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  width?: 'form' | 'reading';
  /** The label of a button at the end that closes the dialog. */
  closeLabel?: string;
  children: ReactNode;
};

/**
 * Returns the first field of a dialog. Its text is selected from the end to the start, so that the
 * beginning of a long address is in view.
 */
function firstField(body: HTMLElement | null): HTMLElement | null {
  const field = body?.querySelector<HTMLElement>('input, textarea, select') ?? null;
  if (field instanceof HTMLInputElement && ['text', 'url', 'search'].includes(field.type))
    field.setSelectionRange(0, field.value.length, 'backward');
  return field;
}

/**
 * An open `Dialog`. The focus starts in its first field, or on its first button, stays inside, and
 * returns when it closes.
 */
export function DialogPopup({ onClose, title, width = 'form', closeLabel, children }: DialogProps) {
  const body = useRef<HTMLDivElement>(null);
  // The focus returns to the control that opened the dialog, which the dialog's action may have
  // removed.
  useEffect(() => () => void setTimeout(recoverFocus), []);
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Backdrop data-dialog-backdrop="" className="fixed inset-0 z-50 bg-scrim" />
        <Dialog.Viewport className="fixed inset-0 z-50 overflow-y-auto">
          {/* On phones a dialog is a sheet at the lower edge. */}
          <div className="flex min-h-full items-center justify-center p-4 max-sm:items-end max-sm:px-0 max-sm:pb-0">
            <Dialog.Popup
              initialFocus={() => firstField(body.current) ?? true}
              className={`w-full animate-appear rounded-lg border border-line bg-raised p-5 shadow-float outline-none max-sm:rounded-b-none sm:p-6 ${width === 'form' ? 'sm:max-w-form' : 'sm:max-w-reading'}`}
            >
              <div className="mb-4 flex items-start justify-between gap-4">
                <Dialog.Title className="min-w-0 text-20 font-semibold tracking-tight [overflow-wrap:anywhere]">
                  {title}
                </Dialog.Title>
                <Dialog.Close
                  aria-label="Close"
                  className="-m-1.5 inline-flex size-9 shrink-0 items-center justify-center rounded-md text-ink-3 hover:bg-hover hover:text-ink active:bg-pressed pointer-coarse:size-11"
                >
                  <X className="size-4" />
                </Dialog.Close>
              </div>
              <div ref={body}>
                {children}
                {closeLabel !== undefined && (
                  <div className="mt-5 flex justify-end">
                    <Button onClick={onClose}>{closeLabel}</Button>
                  </div>
                )}
              </div>
            </Dialog.Popup>
          </div>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
