import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hop, KEY, ORIGIN, problem } from './testing/hop.ts';

const LINK = {
  id: '7',
  code: 'sale',
  shortUrl: `${ORIGIN}/sale`,
  url: 'https://example.com/',
  status: 'active',
  state: 'active',
  statusReason: null,
  clicks: 0,
  importedClicks: null,
  title: 'Sale',
  note: '',
  tags: ['a'],
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: null,
  startsAt: null,
  fallbackUrl: '',
  redirectStatus: 302,
  rules: [],
  variants: [],
  hasPassword: false,
  clickLimit: null,
  clickLimitOpen: false,
  clickLimitUsed: 0,
  watch: 'off',
  watchFallback: '',
  health: null,
  forwardParams: 'none',
  archived: false,
  favorite: false,
  externalId: null,
  earlierCodes: [],
};
const server = (call: string) =>
  call.startsWith('PATCH')
    ? Response.json({ ...LINK, title: 'Spring' })
    : Response.json(LINK, { headers: { ETag: '"v1"' } });

/** Runs `hop edit` with an editor that runs `script` on the file. */
async function edit(script: string, answer = server, more: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'hop-editor-'));
  writeFileSync(join(folder, 'editor.sh'), script);
  const env = { HOP_URL: ORIGIN, HOP_API_KEY: KEY, EDITOR: `sh ${join(folder, 'editor.sh')}` };
  return hop(['edit', 'sale'], answer, { ...env, ...more });
}
const fileIn = (err: string): string => /Your text is in (\S+)\./.exec(err)?.[1] ?? '';

describe('hop edit', () => {
  it('sends only what was changed, and only if nobody else changed the link', async () => {
    const { code, out, sent } = await edit(`sed -i 's/"Sale"/"Spring"/; s/true/false/' "$1"`);
    expect([code, sent.at(-1)]).toEqual([
      0,
      expect.objectContaining({
        call: 'PATCH /links/7',
        body: { title: 'Spring', enabled: false },
        ifMatch: '"v1"',
      }),
    ]);
    expect(out).toContain('Title            Spring');
  });

  it('sends nothing for an unchanged text', async () => {
    const { code, out, sent } = await edit('true');
    expect([code, out]).toEqual([0, 'Nothing changed.']);
    expect(sent.map(({ call }) => call)).toEqual(['GET /links/by-code/sale', 'GET /links/7']);
  });

  it.each([
    ['what is not JSON', 'echo "{" > "$1"', 2],
    ['what is no JSON object', 'echo "[]" > "$1"', 2],
    ['what the server rejects', `sed -i 's/example.com/nowhere/' "$1"`, 1],
  ])('keeps %s in a file', async (_, script, exit) => {
    const reject = (call: string) =>
      call.startsWith('PATCH') ? problem(412, 'precondition_failed', 'Changed.') : server(call);
    const { code, err } = await edit(script, reject);
    expect(code).toBe(exit);
    expect(existsSync(fileIn(err))).toBe(true);
    expect(readFileSync(fileIn(err), 'utf8')).toMatch(/^[{[]/);
  });

  it('deletes a file that it no longer needs, which has the name of the code', async () => {
    const told = join(mkdtempSync(join(tmpdir(), 'hop-')), 'file');
    const own = { code: 'd.abcdefghij/a/b', shortUrl: 'https://go.co/a/b', domain: 'go.co' };
    const { sent } = await edit(
      `printf %s "$1" > ${told}; cp "$1" ${told}.json; sed -i 's/"Sale"/"Spring"/' "$1"`,
      () => Response.json({ ...LINK, ...own, externalId: 'x7' }),
    );
    const file = readFileSync(told, 'utf8');
    expect([basename(file), existsSync(file)]).toEqual(['d.abcdefghij-a-b.json', false]);
    expect(JSON.parse(readFileSync(`${told}.json`, 'utf8'))).toMatchObject({
      code: 'a/b',
      domain: 'go.co',
      externalId: 'x7',
    });
    // A server without versions gets no condition.
    expect(sent.at(-1)).toMatchObject({ body: { title: 'Spring' }, ifMatch: null });
  });

  it('uses $VISUAL before $EDITOR, and shows that a link is disabled', async () => {
    const disabled = () => Response.json({ ...LINK, status: 'disabled' });
    const VISUAL = `grep -q '"enabled": false'`;
    expect((await edit('exit 3', disabled, { VISUAL })).out).toBe('Nothing changed.');
  });

  it('changes nothing when the editor fails', async () => {
    const { code, err, sent } = await edit('exit 3');
    expect([code, err, sent.length]).toEqual([1, expect.stringContaining('ended with'), 2]);
  });
});
