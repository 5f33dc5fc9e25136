import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pythonClient } from '#web/python-client.ts';
import { openApiDocument } from '#worker/api/v1/openapi.ts';
import { OPERATIONS } from '#worker/api/v1/operations.ts';
import { run } from '#scripts/shared/place.ts';

const CLIENT = pythonClient(openApiDocument('https://hop.example'));
const PYTHON = '/usr/bin/env';
const hasPython =
  spawnSync(PYTHON, ['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 11))'])
    .status === 0;

type Received = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { body: string };
const received: Received[] = [];
/** Answers as the test wants, in this order. */
const answers: { status: number; headers?: Record<string, string>; body: unknown }[] = [];
const server = createServer((request, response) => {
  void text(request).then((body) => {
    const { method, url, headers } = request;
    received.push({ method, url, headers, body });
    const answer = answers.shift() ?? { status: 200, body: {} };
    response.writeHead(answer.status, answer.headers).end(JSON.stringify(answer.body));
  });
});
let origin = '';
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(() => server.close());

/** Runs lines of Python with `hop`, a client of the server. Returns what they print. */
async function python(lines: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hop-python-'));
  writeFileSync(join(folder, 'hop.py'), CLIENT);
  const start = ['from hop import Hop, HopError, pages', `hop = Hop("${origin}", "hop_live_key")`];
  const code = [...start, ...lines].join('\n');
  const args = ['python3', '-W', 'error', '-c', code];
  const { output } = await run(PYTHON, args, { cwd: folder, quiet: true });
  return output.trim();
}

describe('the client for Python', () => {
  it('the client has a method for every operation and no untyped value', () => {
    const methods = [...CLIENT.matchAll(/^    def ([a-z]\w+)\(self/gm)].map(([, name]) => name);
    expect(methods.length).toBe(Object.keys(OPERATIONS).length);
    expect(new Set(methods).size).toBe(methods.length);
    const [, generated = ''] = CLIENT.split('raise AssertionError("unreachable")');
    expect(generated.replaceAll('cast(Any', '')).not.toContain('Any,');
    expect(/(?:Optional|list|Union|NotRequired)\[[^\]]*\bAny\b/.exec(CLIENT)).toBeNull();
  });

  it('writes types and methods as Python has them', () => {
    for (const part of [
      'LinkInput = TypedDict("LinkInput", {\n    "url": str,\n    "code": NotRequired[str],',
      '"externalId": NotRequired[Union[str, None]],',
      '"ok": Literal[True],',
      '"device": NotRequired[list[Literal["ios", "android", "desktop"]]],',
      '"dimensions": dict[str, list["ValueClicks"]],',
      'def get_link_by_code(self, code: str, *, if_none_match: Optional[str] = None) -> "Link":',
      'def upsert_link(self, external_id: str, body: "LinkUpsert", *, if_match: ',
      'import_: Optional[str] = None) -> "LinkCount":\n        """Count links\\n\\n',
      'def get_qr_code(self, id: str) -> bytes:',
      'def delete_link_card(self, id: str) -> None:',
    ])
      expect(CLIENT).toContain(part);
  });
});

// Python is not needed for anything else here: without it, these are reported as skipped.
describe.skipIf(!hasPython)('the client for Python, run by python3 (3.11 or newer)', () => {
  it('sends parameters, bodies and paths as the API has them', async () => {
    received.length = 0;
    const end = { data: [{ code: 'b' }], nextCursor: null };
    answers.push({ status: 200, body: { data: [{ code: 'a' }], nextCursor: 'c' } });
    answers.push({ status: 200, body: end }, { status: 201, body: { code: 'é' } });
    const printed = await python([
      'print([link["code"] for link in pages(hop.list_links, tag="a b", favorite=True, min_clicks=0)])',
      'print(hop.create_link({"url": "https://example.com/é"})["code"])',
      'print(hop.delete_link("7", if_match="etag"))',
      'hop.get_link_by_code("a/b?")',
    ]);
    expect(printed).toBe("['a', 'b']\né\nNone");
    expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /api/v1/links?tag=a+b&favorite=true&minClicks=0',
      'GET /api/v1/links?cursor=c&tag=a+b&favorite=true&minClicks=0',
      'POST /api/v1/links',
      'DELETE /api/v1/links/7',
      'GET /api/v1/links/by-code/a%2Fb%3F',
    ]);
    expect(received.map(({ headers }) => headers.authorization)).toEqual(
      received.map(() => 'Bearer hop_live_key'),
    );
    expect(received[2]?.headers['idempotency-key']).toMatch(/^[\w-]{36}$/);
    expect(JSON.parse(received[2]?.body ?? '')).toEqual({ url: 'https://example.com/é' });
    expect(received[3]?.headers['if-match']).toBe('etag');
  });

  it('waits when the server asks to, and raises what it rejects', async () => {
    received.length = 0;
    answers.push({ status: 429, headers: { 'Retry-After': '0' }, body: {} });
    answers.push({ status: 409, body: { code: 'alias_taken', detail: 'It is taken.' } });
    answers.push({ status: 429, headers: { 'Retry-After': '3600' }, body: { code: 'quota' } });
    const attempt = (call: string) => ['try:', `  ${call}`, 'except HopError as error:'];
    const printed = await python([
      ...attempt('hop.create_link({"url": "a"})'),
      '  print(error.status, error.code, error)',
      ...attempt('hop.get_me()'),
      '  print(error.status, error.code)',
    ]);
    expect(printed).toBe('409 alias_taken It is taken.\n429 quota');
    const keys = received.slice(0, 2).map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
  });
});
