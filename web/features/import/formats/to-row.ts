import type { Meaning } from './columns.ts';
import type { Format } from './formats.ts';
import type { ImportRow } from './import-row.ts';
import {
  codeOf,
  countOf,
  forwardOf,
  isYes,
  noteOf,
  shortLinkOf,
  tagsOf,
  textOf,
  timeOf,
  titleOf,
} from './read-values.ts';

const DISABLED = /^(?:disabled|inactive|paused|blocked|banned)$/i;
const ARCHIVED = /^(?:archived|hidden)$/i;

/** A link from the values of a line of a table, or of an object of JSON. */
export function toRow(
  line: number,
  read: (meaning: Meaning) => unknown,
  format: Format,
): ImportRow {
  const shortLink = shortLinkOf(read('shortUrl'));
  const created = timeOf(read('createdAt'));
  const ends = timeOf(read('expiresAt'));
  const status = textOf(read('status'));
  const tags = tagsOf(read('tags'), format.tagSeparator);
  const row: ImportRow = { line, url: textOf(read('url')) };
  const texts = {
    code: codeOf(read('code')) || codeOf(shortLink && `//${shortLink}`),
    title: titleOf(read('title')),
    note: noteOf(read('note')),
    createdAt: created ?? '',
    expiresAt: ends ?? '',
    sourceId: shortLink || textOf(read('sourceId')),
  };
  // Dub calls the address of a domain itself a link with this key.
  if (texts.code === '_root') texts.code = '';
  for (const name of ['code', 'title', 'note', 'createdAt', 'expiresAt', 'sourceId'] as const)
    if (texts[name] !== '') row[name] = texts[name];
  if (tags.length > 0) row.tags = tags;
  const forwarded = forwardOf(read('forwardParams'));
  if (forwarded !== undefined) row.forwardParams = forwarded;
  const clicks = countOf(read('clicks'));
  if (clicks !== undefined) row.clicks = clicks;
  if (isYes(read('archived')) || ARCHIVED.test(status)) row.archived = true;
  if (isYes(read('favorite'))) row.favorite = true;
  const disabled = read('disabled');
  // Some services write when it was disabled.
  if (DISABLED.test(status) || isYes(disabled) || Boolean(timeOf(disabled))) row.disabled = true;
  const problem = problemOf(row, {
    isDeleted: /^deleted$/i.test(status),
    hasPassword: isPassword(read('password')),
    ends: ends === undefined ? textOf(read('expiresAt')) : null,
  });
  return problem === undefined ? row : { ...row, problem };
}

/** Some services write the password or its hash, others whether there is one. */
const isPassword = (value: unknown): boolean =>
  value === true || (typeof value === 'string' && !/^\s*(?:|false|no|null|0)\s*$/i.test(value));

/** What would make the imported link another one than the member had. */
function problemOf(
  { url }: ImportRow,
  {
    isDeleted,
    hasPassword,
    ends,
  }: { isDeleted: boolean; hasPassword: boolean; ends: string | null },
): string | undefined {
  if (url === '') return 'There is no destination on this line.';
  if (isDeleted) return 'This link has been deleted.';
  if (hasPassword)
    return 'This link asks for a password. Hop has no passwords for links, so everyone could open it.';
  if (ends !== null)
    return `The end date “${ends.slice(0, 40)}” cannot be read. Write it like 2026-12-31.`;
  return undefined;
}
