import { NO_SETTINGS } from '#worker/db/link-settings.ts';
import type { LinkDraft } from '#worker/links/write/link-draft.ts';

/** Returns the draft of a link to https://example.com/. `given` overrides its members. */
export const makeDraft = (given: Partial<LinkDraft> = {}): LinkDraft => ({
  ...NO_SETTINGS,
  target: { href: 'https://example.com/', host: 'example.com' },
  code: null,
  codePrefix: '',
  domain: '',
  externalId: null,
  tags: [],
  mayTakeFormer: true,
  ...given,
});
