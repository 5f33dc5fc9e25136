import { useState } from 'react';
import { toDraft, hasChanges, NEW_DRAFT, parseDraft, type PostDraft } from './post-draft.ts';

type Saved = Pick<PostDraft, 'title' | 'slug' | 'content' | 'published'>;

export type PostDraftState = {
  draft: PostDraft;
  /** True while the form holds what is not saved. */
  changed: boolean;
  /** True if the form began with what this tab had kept. */
  restored: boolean;
  set: (draft: PostDraft) => void;
  /** Back to what is saved; what the tab kept is forgotten. */
  discard: () => void;
};

/**
 * The form's draft, kept in the tab's session storage under `key` while it differs from what is saved: the Back button,
 * a reload or an expired session cost nothing that was typed.
 */
export function usePostDraft(key: string, saved: Saved | null): PostDraftState {
  const base = saved === null ? NEW_DRAFT : toDraft(saved);
  const [kept] = useState(() => parseDraft(read(key)));
  const [draft, setDraft] = useState(kept ?? base);
  const [restored, setRestored] = useState(kept !== null && hasChanges(kept, base));
  const set = (next: PostDraft): void => {
    setDraft(next);
    write(key, hasChanges(next, base) ? JSON.stringify(next) : null);
  };
  const discard = (): void => {
    setDraft(base);
    setRestored(false);
    write(key, null);
  };
  return { draft, changed: hasChanges(draft, base), restored, set, discard };
}

function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Storage may be full or forbidden: then the draft lives in the form alone. */
function write(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // Nothing depends on it.
  }
}
