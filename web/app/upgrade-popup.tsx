import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { lazyPopup } from '#web/ui/lazy-popup.tsx';

/** The choice of plans, for pages that open it on request. */
export const UpgradePopup = lazyPopup(() =>
  import('#web/features/plans/upgrade-dialog.tsx').then((m) => m.UpgradeDialog),
);

/**
 * Returns a function that opens the choice of plans, and the choice. Once it closes, the queries
 * `of` load again, because the plan may have changed.
 */
export function useUpgradePopup(of?: string): [open: () => void, popup: ReactNode] {
  const queries = useQueryClient();
  // Null until it first opens, because it loads the subscription, which most visits do not need.
  const [isOpen, setIsOpen] = useState<boolean | null>(null);
  const close = (): void => {
    setIsOpen(false);
    if (of !== undefined) void queries.invalidateQueries({ queryKey: [of] });
  };
  const popup = isOpen !== null && <UpgradePopup open={isOpen} onClose={close} />;
  return [() => setIsOpen(true), popup];
}
