import { decodeText } from '#web/features/import/formats/decode-text.ts';
import { ImportError, type ImportRow } from '#web/features/import/formats/import-row.ts';
import { describeLoss, type Loss } from '#web/features/import/formats/losses.ts';
import { readImport } from '#web/features/import/formats/read-import.ts';
import { isAddress } from '#web/features/import/formats/read-table.ts';
import type { LinkBody } from './client.ts';
import { UsageError } from './command.ts';

/** Lines of a file that are named when it cannot be imported. */
const NAMED_MAX = 10;
const WEBSITE = 'Import it on the website, at /links/import';

/** What the public API cannot set for a new link. */
const ONLY_ON_THE_WEBSITE = {
  createdAt: 'Creation date: these links get the day of the import',
  clicks: 'Clicks so far: not kept',
  archived: 'Archived: not kept',
  favorite: 'Favorite: not kept',
} as const satisfies Partial<Record<keyof ImportRow, string>>;

/**
 * Reads the links in a file with the reader of the website. Throws UsageError for a file with
 * anything that it does not understand, so that nothing is created from half of it. `losses` says
 * what the links do not keep.
 */
export async function readLinks(
  bytes: Uint8Array,
  now: number,
): Promise<{ links: LinkBody[]; losses: string[] }> {
  const { rows, losses, format } = await read(decodeText(bytes).text, now);
  if (format === 'hop')
    throw new UsageError(`This is an export of links. ${WEBSITE}, which keeps dates and states.`);
  refuse(
    rows.map(({ line, problem }) => (problem === undefined ? [] : `line ${line}: ${problem}`)),
  );
  refuse(
    rows.map(({ line, url }) =>
      isAddress(url) ? [] : `line ${line}: “${url}” is no web address.`,
    ),
  );
  if (rows.some(({ disabled }) => disabled === true))
    throw new UsageError(`Some of these links are disabled or locked. ${WEBSITE}.`);
  const more = Object.entries(ONLY_ON_THE_WEBSITE).flatMap(([name, text]): Loss[] => {
    const links = rows.filter((row) => Object.hasOwn(row, name)).length;
    return links === 0 ? [] : [{ text, links }];
  });
  return { links: rows.map(toBody), losses: [...losses, ...more].map(describeLoss) };
}

async function read(text: string, now: number) {
  try {
    return await readImport(text, now);
  } catch (error) {
    throw error instanceof ImportError ? new UsageError(error.message) : error;
  }
}

function refuse(found: (string | never[])[]): void {
  const problems = found.flat();
  if (problems.length === 0) return;
  const named = problems.slice(0, NAMED_MAX);
  const rest = problems.length - named.length;
  throw new UsageError(
    [...named, ...(rest > 0 ? [`and ${rest} more`] : []), 'Nothing was created.'].join('\n'),
  );
}

function toBody({ url, code, title, note, tags, expiresAt, forwardParams, externalId }: ImportRow) {
  const given = { code, title, note, tags, expiresAt, forwardParams, externalId };
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.assign({ url }, Object.fromEntries(present)) satisfies LinkBody;
}
