import type { ReactNode } from 'react';
import { lazyPopup } from './lazy-popup.tsx';

export type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  width?: 'form' | 'reading';
  children: ReactNode;
};

const DialogPopup = lazyPopup<DialogProps>(() => import('./dialog-popup.tsx').then((m) => m.DialogPopup));

/** A modal dialog. Its code loads when it first opens. Escape or a click on the backdrop closes it. */
export function Dialog(props: DialogProps) {
  return props.open && <DialogPopup {...props} />;
}
