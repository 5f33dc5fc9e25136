import { X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import type { ReactNode } from 'react';
import { recoverFocus } from '#web/shared/use-heading-focus.ts';

/** A modal built on the native <dialog>, which traps and restores the focus. Escape or a click on the backdrop closes it. */
export function Dialog({
  open,
  onClose,
  title,
  width = 'form',
  children,
}: {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  width?: 'form' | 'reading';
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    if (open && !element.open) element.showModal();
    if (!open && element.open) element.close();
  }, [open]);
  useEffect(() => {
    const element = dialog.current;
    // A press on the backdrop has the dialog itself as its target; a press inside has a child.
    const onPointer = (event: PointerEvent): void => {
      if (event.target === element) element?.close();
    };
    element?.addEventListener('pointerdown', onPointer);
    return () => element?.removeEventListener('pointerdown', onPointer);
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={() => {
        // The browser returns the focus to what opened the dialog, which the dialog's action may have removed.
        recoverFocus();
        onClose();
      }}
      className={`w-[calc(100%-2rem)] rounded-lg border border-line bg-raised p-0 shadow-float open:animate-appear ${width === 'form' ? 'max-w-form' : 'max-w-reading'}`}
    >
      {open && (
        <div className="p-5 sm:p-6">
          <div className="mb-4 flex items-start justify-between gap-4">
            <h2 id={titleId} className="text-20 font-semibold tracking-tight">
              {title}
            </h2>
            <button
              type="button"
              onClick={() => dialog.current?.close()}
              aria-label="Close"
              className="-m-1.5 inline-flex size-9 shrink-0 items-center justify-center rounded-md text-ink-3 hover:bg-sunken hover:text-ink pointer-coarse:size-11"
            >
              <X className="size-4" aria-hidden="true" />
            </button>
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}
