import { use, useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { useTopDialog, useUnsavedGuard } from './unsaved-changes.ts';
import { recoverFocus } from './use-heading-focus.ts';
import { Button } from './button.tsx';
import { DialogActions } from './dialog-actions.tsx';
import { DialogFrame, type CloseReason } from './dialog-frame.tsx';
import { DialogNotice } from './dialog-notice.ts';

export type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  width?: 'form' | 'reading';
  /** The label of a button at the end that closes the dialog. */
  closeLabel?: string;
  /** False for the sign-in of an ended session, which does not hold the page. */
  holdsPage?: boolean;
  children: ReactNode;
};

const FIRST = 'input:not([readonly]), textarea, select, [data-first-focus] button';

/**
 * Returns the first field of a dialog, or the first button of a marked part. A secret marks its
 * own, because Enter on the close button would lose it. The text of a field is selected from the
 * end to the start, so that the beginning of a long address is in view.
 */
function firstField(body: HTMLElement | null): HTMLElement | null {
  const field = body?.querySelector<HTMLElement>(FIRST) ?? null;
  if (field instanceof HTMLInputElement && ['text', 'url', 'search'].includes(field.type))
    field.setSelectionRange(0, field.value.length, 'backward');
  return field;
}

/**
 * An open `Dialog`. The focus starts in its first field, or on its first button, stays inside, and
 * returns when it closes.
 */
export function DialogPopup({
  onClose,
  title,
  width = 'form',
  closeLabel,
  holdsPage = true,
  children,
}: DialogProps) {
  const body = useRef<HTMLDivElement>(null);
  const [guard, isChanged] = useUnsavedGuard({ isDialog: holdsPage });
  const [asking, setAsking] = useState(false);
  const notice = use(DialogNotice);
  const top = useTopDialog();
  const [popup, setPopup] = useState<HTMLElement | null>(null);
  const attach = useCallback(
    (element: HTMLElement | null) => {
      setPopup(element);
      return guard(element);
    },
    [guard],
  );
  // The focus returns to the control that opened the dialog, which the dialog's action may have
  // removed.
  useEffect(() => () => void setTimeout(recoverFocus), []);
  const close = (reason: CloseReason): void => {
    if (!isChanged()) onClose();
    else if (reason === 'outside-press') return;
    else if (holdsPage) setAsking(true);
    else onClose();
  };
  return (
    <DialogFrame
      ref={attach}
      title={title}
      width={width}
      initialFocus={() => firstField(body.current) ?? true}
      onOpenChange={close}
    >
      {holdsPage && top !== null && top === popup && notice}
      <div ref={body}>
        {children}
        {closeLabel !== undefined && (
          <DialogActions>
            <Button onClick={onClose}>{closeLabel}</Button>
          </DialogActions>
        )}
      </div>
      {asking && <DiscardQuestion onKeep={() => setAsking(false)} onDiscard={onClose} />}
    </DialogFrame>
  );
}

function DiscardQuestion({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  const keep = useRef<HTMLButtonElement>(null);
  return (
    <DialogFrame
      title="Discard changes?"
      width="form"
      initialFocus={() => keep.current ?? true}
      onOpenChange={onKeep}
    >
      <p className="text-14 text-ink-2">What you changed here is not saved.</p>
      <DialogActions>
        <Button ref={keep} onClick={onKeep}>
          Keep editing
        </Button>
        <Button variant="danger" onClick={onDiscard}>
          Discard changes
        </Button>
      </DialogActions>
    </DialogFrame>
  );
}
