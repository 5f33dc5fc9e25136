import { useCallback, useState } from 'react';
import type { SettingName } from '#contract/links/link-settings.ts';
import type { ShortenRequest } from '#contract/links/links.ts';
import { errorCode, errorField, isErrorAt } from '#web/shared/api/api.ts';
import type { SettingPath } from '#web/shared/link-settings/link-settings.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';
import { useChange } from '#web/shared/api/use-change.ts';
import { describeShortenError } from './shorten-error.ts';
import { EMPTY_DRAFT, toShortenRequest, type TypedDraft } from './typed-draft.ts';

/**
 * The state of a form for a new link: what is typed, the request, and its error at the field that
 * it concerns. `quotaChanges` counts the changes of the quota; a change clears an error about it.
 */
export function useLinkForm<Output>(
  send: (body: ShortenRequest) => Promise<Output>,
  onDone: (output: Output, clear: () => void) => void,
  quotaChanges: number,
) {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const clear = (): void => setDraft(EMPTY_DRAFT);
  const shorten = useAsyncAction(send, (output) => onDone(output, clear));
  const error =
    shorten.error === null ? null : describeShortenError(shorten.error, toShortenRequest(draft));
  const errorAt = (field: keyof ShortenRequest | SettingPath): string | undefined =>
    error !== null && error.field !== 'form' && isErrorAt(errorField(shorten.error), field)
      ? error.text
      : undefined;
  const set = useCallback(
    (change: Partial<TypedDraft>): void => setDraft((before) => ({ ...before, ...change })),
    [],
  );
  useChange(quotaChanges, () => {
    if (errorCode(shorten.error) === 'quota_reached') shorten.reset();
  });
  /** Typing into the field with the error clears the error. */
  const clearErrorAt = (field: keyof ShortenRequest): void => {
    if (error?.field === field) shorten.reset();
  };
  return {
    draft,
    set,
    clear,
    shorten,
    error,
    errorAt,
    setLongUrl: (longUrl: string): void => {
      set({ longUrl });
      clearErrorAt('longUrl');
    },
    alias: {
      alias: draft.alias,
      error: errorAt('customCode'),
      onAlias: (alias: string): void => {
        set({ alias });
        clearErrorAt('customCode');
        clearErrorAt('domain');
      },
    },
    details: {
      tags: draft.tags,
      onTags: (tags: readonly string[]) => set({ tags }),
      tagError: errorAt('tags'),
    },
    settings: {
      settings: draft.settings,
      errorAt,
      onSetting: (name: SettingName, value: unknown) =>
        set({ settings: { ...draft.settings, [name]: value } }),
    },
  };
}

export type NewLinkForm = Pick<
  ReturnType<typeof useLinkForm>,
  'draft' | 'set' | 'alias' | 'details' | 'settings'
>;
