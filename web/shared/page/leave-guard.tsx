import { useEffect, useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

/**
 * Returns the app's path that a click would open; null for other clicks, other sites, new tabs and
 * the current page (`here`, a URL).
 */
export function internalTarget(event: MouseEvent, here: string): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (
    link === null ||
    (link.target !== '' && link.target !== '_self') ||
    link.hasAttribute('download')
  )
    return null;
  const to = new URL(link.href, here);
  const from = new URL(here);
  if (to.origin !== from.origin || to.pathname + to.search === from.pathname + from.search)
    return null;
  return to.pathname + to.search + to.hash;
}

/**
 * While `active`, asks before a link leaves a page with unsaved changes, and makes the browser ask
 * before the tab closes. The router cannot block the Back button, but the stored draft covers that
 * case.
 */
export function LeaveGuard({
  active,
  onLeave,
  children,
}: {
  active: boolean;
  onLeave?: () => void;
  /** Says what is not saved. */
  children: ReactNode;
}) {
  const [target, setTarget] = useState('');
  const navigate = useNavigate();
  useEffect(() => {
    if (!active) return;
    const onClick = (event: MouseEvent): void => {
      const to = internalTarget(event, window.location.href);
      if (to === null) return;
      event.preventDefault();
      event.stopPropagation();
      setTarget(to);
    };
    const onUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    document.addEventListener('click', onClick, true);
    window.addEventListener('beforeunload', onUnload);
    return () => {
      document.removeEventListener('click', onClick, true);
      window.removeEventListener('beforeunload', onUnload);
    };
  }, [active]);
  return (
    <ConfirmDialog
      open={target !== ''}
      onClose={() => setTarget('')}
      onConfirm={() => {
        onLeave?.();
        setTarget('');
        void navigate(target);
      }}
      title="Leave without saving?"
      action="Discard changes"
    >
      {children}
    </ConfirmDialog>
  );
}
