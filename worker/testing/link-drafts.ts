import { NO_SETTINGS } from '#worker/db/link-settings.ts';
import type { LinkDraft } from '#worker/links/write/link-draft.ts';

/** The draft of a link to https://example.com/, with these members. */
export const makeDraft = (given: Partial<LinkDraft> = {}): LinkDraft => ({
  ...NO_SETTINGS,
  target: { href: 'https://example.com/', host: 'example.com' },
  code: null,
  codePrefix: '',
  externalId: null,
  tags: [],
  mayTakeFormer: true,
  ...given,
});
