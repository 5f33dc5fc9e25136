import type { ComponentProps } from 'react';
import type { UpgradeDialog } from '#web/features/plans/upgrade-dialog.tsx';
import { lazyPopup } from '#web/ui/lazy-popup.tsx';

/** The choice of plans, for pages that open it on request. */
export const UpgradePopup = lazyPopup<ComponentProps<typeof UpgradeDialog>>(() =>
  import('#web/features/plans/upgrade-dialog.tsx').then((m) => m.UpgradeDialog),
);
