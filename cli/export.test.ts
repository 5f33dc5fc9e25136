import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hop } from './testing/hop.ts';

const CSV = '"short_url"\r\n"https://hop.example/a"\r\n';
const server = (call: string) =>
  call.endsWith('format=json')
    ? Response.json([{ short_url: 'https://hop.example/a' }])
    : new Response(CSV, { headers: { 'Content-Type': 'text/csv' } });
const newFile = (): string => join(mkdtempSync(join(tmpdir(), 'hop-')), 'links.csv');

describe('hop export', () => {
  it('writes the file of the server as it is', async () => {
    const file = newFile();
    const { out, sent } = await hop(['export', '-f', 'shlink', '-o', file], server);
    expect([out, readFileSync(file, 'utf8')]).toEqual([`Wrote ${file}.`, CSV]);
    expect(sent.map(({ call }) => call)).toEqual(['GET /export?format=shlink']);
    const asJson = await hop(['export', '-o', file, '--json'], server);
    expect([JSON.parse(asJson.out), readFileSync(file, 'utf8')]).toEqual([
      { file, format: 'csv' },
      CSV,
    ]);
  });

  it('prints it without a file, and the links as JSON with --json', async () => {
    expect((await hop(['export'], server)).out).toBe(CSV.trimEnd());
    const { out } = await hop(['export', '--json'], server);
    expect(JSON.parse(out)).toEqual([{ short_url: 'https://hop.example/a' }]);
    const nginx = await hop(['export', '-f', 'nginx', '--json'], server);
    expect(JSON.parse(nginx.out)).toEqual({ format: 'nginx', content: CSV });
  });
});
