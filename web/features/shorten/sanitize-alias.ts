import { ALIAS_MAX } from '#contract/limits.ts';

/** What the alias field keeps of what is typed or pasted: letters, digits, hyphen and underscore, at most 20 (spec §5). */
export const sanitizeAlias = (text: string): string => text.replace(/[^A-Za-z0-9_-]/g, '').slice(0, ALIAS_MAX);
