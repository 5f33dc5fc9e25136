import { describe, expect, it } from 'vitest';
import { describeLoss } from './losses.ts';
import { readImport } from './read-import.ts';

/**
 * Ten files of each service in the form of its exporter. Each set says at its top which source the
 * form comes from. After `--- expected` is what is read: the format, a line for each link, and a
 * line with `!` for each loss that the page announces before anything is created.
 */
const SETS = import.meta.glob<string>('./testdata/peers/*.txt', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const files = Object.entries(SETS).flatMap(([path, set]) => {
  const [head = '', ...parts] = set.split(/^=== /m);
  const service = /(\w+)\.txt$/.exec(path)?.[1] ?? '';
  return parts.map((part) => {
    const [, name = '', text = '', expected = ''] =
      /^(\S+)\n([\s\S]*)\n--- expected\n([\s\S]*)$/.exec(part) ?? [];
    return { service, head, name: `${service} ${name}`, text, expected: expected.trimEnd() };
  });
});

async function summaryOf(text: string): Promise<string> {
  const { format, rows, losses, notice } = await readImport(text);
  return [
    format,
    ...rows.map(({ line: _line, losses: _losses, ...row }) => JSON.stringify(row)),
    ...losses.map((loss) => `! ${describeLoss(loss)}`),
    ...(notice === undefined ? [] : [`! ${notice}`]),
  ].join('\n');
}

describe('files of other services', () => {
  it.each(files)('reads $name', async ({ text, expected }) => {
    expect(await summaryOf(text)).toBe(expected);
  });

  it('there are ten of each, with their source', () => {
    for (const service of new Set(files.map((file) => file.service))) {
      const own = files.filter((file) => file.service === service);
      expect([service, own.length]).toEqual([service, 10]);
      expect(own[0]?.head).toMatch(/^# [\s\S]*https:\/\//);
    }
    expect(Object.keys(SETS)).toHaveLength(13);
  });
});
