import { lazyPopup } from '#web/ui/lazy-popup.tsx';

/** The form that shares a report, for pages of other features. */
export const SharePopup = lazyPopup(() =>
  import('#web/features/shared-reports/share-dialog.tsx').then((m) => m.ShareDialog),
);
