import type { ComponentProps } from 'react';
import type { ShareDialog } from '#web/features/shared-reports/share-dialog.tsx';
import { lazyPopup } from '#web/ui/lazy-popup.tsx';

/** The form that shares a report, for pages of other features. */
export const SharePopup = lazyPopup<ComponentProps<typeof ShareDialog>>(() =>
  import('#web/features/shared-reports/share-dialog.tsx').then((m) => m.ShareDialog),
);
