import type { DialogProps } from './dialog-popup.tsx';
import { lazyPopup } from './lazy-popup.tsx';

const DialogPopup = lazyPopup(() => import('./dialog-popup.tsx').then((m) => m.DialogPopup));

/**
 * A modal dialog whose code loads when it first opens. Escape or a click on the backdrop closes it.
 */
export function Dialog(props: DialogProps) {
  return props.open && <DialogPopup {...props} />;
}
