import { lazyPopup } from '#web/ui/lazy-popup.tsx';

/** The choice of plans, for pages that open it on request. */
export const UpgradePopup = lazyPopup(() =>
  import('#web/features/plans/upgrade-dialog.tsx').then((m) => m.UpgradeDialog),
);
