import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useSession } from '#web/shared/session/session.ts';
import { useShortcut } from '#web/shared/page/shortcuts.ts';
import { useChange } from '#web/shared/api/use-change.ts';
import { lazyPopup } from '#web/ui/lazy-popup.tsx';

const Palette = lazyPopup(() => import('./palette.tsx').then((m) => m.Palette));
const KeyList = lazyPopup(() => import('./key-list.tsx').then((m) => m.KeyList));

/** Opens the command palette on Ctrl+K or ⌘K, and the list of keys on a question mark. */
export function PaletteHost() {
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);
  const isMember = useSession().status === 'member';
  const { key } = useLocation();
  const close = (): void => setOpen(null);
  useChange(key, close);
  useShortcut('?', () => setOpen('keys'));
  useEffect(() => {
    if (!isMember) return;
    const onKey = (event: KeyboardEvent): void => {
      const isOther = event.shiftKey || event.altKey || event.isComposing;
      if (event.key !== 'k' || event.ctrlKey === event.metaKey || isOther) return;
      // In a dialog, the palette would cover what is being typed.
      if (document.querySelector('[role=dialog], [role=alertdialog]') !== null) return;
      event.preventDefault();
      setOpen('palette');
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isMember]);
  if (open === 'palette') return <Palette onClose={close} onKeys={() => setOpen('keys')} />;
  return open === 'keys' && <KeyList onClose={close} />;
}
