import type { ImportRequestRow } from '#contract/files/import.ts';
import { decodeText } from '#web/features/import/formats/decode-text.ts';
import { ImportError } from '#web/features/import/formats/import-row.ts';
import { describeLoss } from '#web/features/import/formats/losses.ts';
import { readImport } from '#web/features/import/formats/read-import.ts';
import { isAddress } from '#web/features/import/formats/read-table.ts';
import { DELETED } from '#web/features/import/formats/to-row.ts';
import { toRequestRows } from '#web/features/import/import-requests.ts';
import { UsageError } from './command.ts';

/** Lines of a file that are named when it cannot be imported. */
const NAMED_MAX = 10;

/**
 * Reads the links in a file with the reader of the website. Throws UsageError for a file with
 * anything that it does not understand, so that nothing is created from half of it. `losses` says
 * what the links do not keep. The lines of `rows` count from 1 without gaps.
 */
export async function readLinks(bytes: Uint8Array) {
  const { rows: all, losses, format } = await read(decodeText(bytes).text);
  const rows = all.filter(({ problem }) => problem !== DELETED);
  const deleted = { text: 'Deleted: not imported', links: all.length - rows.length };
  refuse(
    rows.map(({ line, problem }) => (problem === undefined ? [] : `line ${line}: ${problem}`)),
  );
  refuse(
    rows.map(({ line, url }) =>
      isAddress(url) ? [] : `line ${line}: “${url}” is no web address.`,
    ),
  );
  const lost = deleted.links === 0 ? losses : [...losses, deleted];
  const found: { format: typeof format; rows: ImportRequestRow[]; losses: string[] } = {
    format,
    rows: toRequestRows(rows),
    losses: lost.map(describeLoss),
  };
  return found;
}

async function read(text: string) {
  try {
    return await readImport(text);
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
