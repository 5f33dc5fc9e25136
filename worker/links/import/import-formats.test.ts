import { describe, expect, it } from 'vitest';
import type { ImportFormat } from '#contract/files/import-formats.ts';
import type { ImportResponse } from '#contract/files/import.ts';
import { readImport } from '#web/features/import/formats/read-import.ts';
import { toRequestRows } from '#web/features/import/import-requests.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';

const FILES = import.meta.glob('/web/features/import/formats/testdata/*', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const FIXTURES = Object.entries(FILES)
  .map(([path, text]) => ({ name: path.slice(path.lastIndexOf('/') + 1), text: String(text) }))
  .filter(({ name }) => name !== 'expected.json');

/**
 * Imports a file as the page does. Returns its format, and the verdict and code of each row that
 * can be read.
 */
async function importFile(
  person: Person,
  text: string,
): Promise<{ format: ImportFormat; lines: ImportResponse['lines'] }> {
  const { format, rows } = await readImport(text);
  const json = { format, id: crypto.randomUUID(), collisions: 'suffix', rows: toRequestRows(rows) };
  const response = await call('/api/links/import', { json, headers: person.headers });
  expect(response.status, await response.clone().text()).toBe(200);
  return { format, lines: (await response.json<ImportResponse>()).lines };
}
const codes = (lines: ImportResponse['lines']) =>
  lines.flatMap((line) => ('code' in line ? [line.code] : []));
const kinds = (lines: ImportResponse['lines']) => new Set(lines.map(({ verdict }) => verdict));

describe('an import of every format', () => {
  it.each(FIXTURES)(
    'adds nothing the second time, nor as an export: $name',
    async ({ name, text }) => {
      const me = await makePerson({ plan: 'premium' });
      const first = await importFile(me, text);
      expect(kinds(first.lines)).toContain('created');
      expect(
        [...kinds(first.lines)].filter((kind) => !['created', 'exists', 'rejected'].includes(kind)),
      ).toEqual([]);
      const again = await importFile(me, text);
      expect(codes(again.lines)).toEqual(codes(first.lines));
      expect(kinds(again.lines)).not.toContain('created');
      const format = name.endsWith('.json') ? 'json' : 'csv';
      const exported = await (
        await call(`/api/account/links?format=${format}`, { headers: me.headers })
      ).text();
      const back = await importFile(me, exported);
      expect([back.format, kinds(back.lines)]).toEqual(['hop', new Set(['exists'])]);
      expect(new Set(codes(back.lines))).toEqual(new Set(codes(first.lines)));
    },
  );
});
