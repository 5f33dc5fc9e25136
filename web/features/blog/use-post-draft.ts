import { useState } from 'react';
import {
  hasChanges,
  NEW_DRAFT,
  parseDraft,
  toDraft,
  type PostDraft,
  type SavedPost,
} from './post-draft.ts';

export type PostDraftState = {
  draft: PostDraft;
  changed: boolean;
  /** True if the form started with a draft stored by this tab. */
  restored: boolean;
  set: (draft: PostDraft) => void;
  /** Returns to the saved post and deletes the stored draft. */
  discard: () => void;
};

/**
 * Manages the form's draft. While it differs from the saved post, it is stored in the tab's session
 * storage under `key`, so the Back button, a reload or an expired session lose nothing.
 */
export function usePostDraft(key: string, saved: SavedPost | null): PostDraftState {
  const base = saved === null ? NEW_DRAFT : toDraft(saved);
  const [stored] = useState(() => parseDraft(read(key)));
  const [draft, setDraft] = useState(stored ?? base);
  const [restored, setRestored] = useState(stored !== null && hasChanges(stored, base));
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

/**
 * Stores the draft; null deletes it. If storage is full or blocked, the draft exists only in the
 * form.
 */
function write(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // The draft exists only in the form.
  }
}
