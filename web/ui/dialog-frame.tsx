import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode, Ref } from 'react';

/** Why a dialog is about to close. A click on the backdrop is an `outside-press`. */
export type CloseReason = Parameters<
  NonNullable<Parameters<typeof Dialog.Root>[0]['onOpenChange']>
>[1]['reason'];

/**
 * A modal dialog with a title and a close button: centered, or a sheet at the bottom of a phone. If
 * its content is too high, it scrolls between the title and the `DialogActions`.
 */
export function DialogFrame({
  ref,
  title,
  width,
  initialFocus,
  onOpenChange,
  children,
}: {
  ref?: Ref<HTMLDivElement>;
  title: ReactNode;
  width: 'form' | 'reading';
  initialFocus: () => HTMLElement | true;
  onOpenChange: (reason: CloseReason) => void;
  children: ReactNode;
}) {
  return (
    <Dialog.Root open onOpenChange={(_open, { reason }) => onOpenChange(reason)}>
      <Dialog.Portal>
        {/* One over another dialog dims that dialog, too. */}
        <Dialog.Backdrop
          forceRender
          data-dialog-backdrop=""
          className="fixed inset-0 z-50 bg-scrim"
        />
        <Dialog.Viewport className="fixed inset-0 z-50 flex items-end justify-center pt-10 sm:items-center sm:p-4">
          <Dialog.Popup
            ref={ref}
            initialFocus={initialFocus}
            className={`relative max-h-full w-full animate-appear overflow-y-auto overscroll-contain rounded-t-lg border border-line bg-raised px-5 pb-5 shadow-float outline-none has-data-dialog-actions:pb-0 sm:rounded-lg sm:px-6 sm:pb-6 sm:has-data-dialog-actions:pb-0 ${width === 'form' ? 'sm:max-w-form' : 'sm:max-w-reading'}`}
          >
            <div className="sticky top-0 z-10 -mx-5 flex items-start justify-between gap-4 bg-raised px-5 pt-5 pb-3 sm:-mx-6 sm:px-6 sm:pt-6">
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
            {children}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
