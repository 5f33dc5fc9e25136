import type { ReactNode } from 'react';
import { ErrorText } from './error-text.tsx';

/**
 * The buttons at the end of a dialog, below the error that no field shows. They stay in view while
 * the content scrolls.
 */
export const DialogActions = ({
  error,
  children,
}: {
  error?: string | undefined;
  children: ReactNode;
}) => (
  <div
    data-dialog-actions=""
    className="sticky bottom-0 z-10 -mx-5 mt-5 flex flex-wrap justify-end gap-2 border-t border-line bg-raised px-5 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:-mx-6 sm:px-6"
  >
    <ErrorText className="basis-full">{error}</ErrorText>
    {children}
  </div>
);
