import { createStore } from '#web/ui/create-store.ts';

/** The panel for a new link, which lies over the page. Its code loads once somebody may open it. */
const panel = createStore<'closed' | 'expected' | 'open'>('closed');
export const useNewLinkPanel = panel.use;

export const openNewLink = (): void => panel.set('open');
export const closeNewLink = (): void => panel.set('closed');
/** Loads the code of the panel, for example while the pointer is on its button. */
export function expectNewLink(): void {
  if (panel.get() === 'closed') panel.set('expected');
}

/** The code of the link that was created last, until the list has shown it; null without one. */
const created = createStore<string | null>(null);
export const useCreatedCode = created.use;
export const setCreatedCode = (code: string | null): void => created.set(code);
