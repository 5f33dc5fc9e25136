import type { ReactNode } from 'react';

/** The buttons at the end of a dialog. They stay in view while its content scrolls. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className="sticky bottom-0 z-10 -mx-5 mt-5 -mb-5 flex flex-wrap justify-end gap-2 border-t border-line bg-raised px-5 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:-mx-6 sm:-mb-6 sm:px-6">
    {children}
  </div>
);
