import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { closeNewLink, openNewLink, useNewLinkPanel } from '#web/shared/links/new-link.ts';
import { useSession } from '#web/shared/session/session.ts';
import { useShortcut } from '#web/shared/page/shortcuts.ts';
import { useChange } from '#web/shared/api/use-change.ts';
import { lazyPopup } from '#web/ui/lazy-popup.tsx';

const loadPanel = () => import('./new-link-panel.tsx').then((m) => m.NewLinkPanel);
const NewLinkPanel = lazyPopup(loadPanel);

/** Shows the panel for a new link when it is asked for. Visitors get the form on Home instead. */
export function NewLinkHost() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const isVisitor = useSession().status === 'visitor';
  const panel = useNewLinkPanel();
  useShortcut('c', () => {
    if (isVisitor) void navigate('/', { state: { newLink: true } });
    else openNewLink();
  });
  useChange(pathname, closeNewLink);
  useEffect(() => {
    if (panel === 'expected') void loadPanel().catch(() => undefined);
  }, [panel]);
  return panel === 'open' && <NewLinkPanel onClose={closeNewLink} />;
}
