import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import {
  callSample,
  importSample,
  pagingSample,
  verifySample,
} from '#web/features/api-docs/guide-samples.ts';
import { makeReference } from '#web/api-reference.ts';
import { llmsText } from '#web/llms-text.ts';
import { secretOf, signatureHeaders } from '#worker/webhooks/sign.ts';

const folder = mkdtempSync(join(tmpdir(), 'hop-samples-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const salts = { id: 'hook', salt: 'salt', previous_salt: 'before', previous_until: Infinity };
const secret = secretOf('auth-secret', salts.id, salts.salt);
const body = JSON.stringify({ type: 'link.created', data: { title: 'Grüße' } });
const now = Date.now();
const signed = (at: number) =>
  signatureHeaders('auth-secret', salts, { messageId: 'msg_1', body, now: at });
const CASES = [
  { headers: signed(now), body },
  { headers: signed(now), body: body.replace('created', 'deleted') },
  { headers: signed(now - 400_000), body },
  { headers: { ...signed(now), 'webhook-signature': 'v1,AAAA' }, body },
  { headers: {}, body },
];
const EXPECTED = ['link.created', null, null, null, null];

/** Runs a program that reads JSON and prints JSON. */
function run(
  command: string,
  file: string,
  program: string,
  input: unknown = { secret, cases: CASES },
): unknown {
  const path = join(folder, file);
  writeFileSync(path, program);
  const { stdout, stderr } = spawnSync(command, [path], {
    input: JSON.stringify(input),
    encoding: 'utf8',
  });
  return stdout === '' ? stderr : JSON.parse(stdout);
}

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('the sample that verifies webhooks', () => {
  it('in JavaScript accepts what Hop signs, and nothing else', () => {
    const verify = verifySample.javascript.split('export const server')[0] ?? '';
    const program = `${verify}
import { readFileSync } from 'node:fs';
const { secret, cases } = JSON.parse(readFileSync(0, 'utf8'));
const types = cases.map(({ headers, body }) => verify(secret, headers, body)?.type ?? null);
console.log(JSON.stringify(types));`;
    expect(run(process.execPath, 'verify.mjs', program)).toEqual(EXPECTED);
  });

  it.runIf(hasPython)('in Python accepts what Hop signs, and nothing else', () => {
    const program = `${verifySample.python.split('class Receiver')[0]}
import sys
from email.message import Message

given, types = json.load(sys.stdin), []
for case in given["cases"]:
    headers = Message()
    for name, value in case["headers"].items():
        headers[name] = value
    event = verify(given["secret"], headers, case["body"].encode())
    types.append(event and event["type"])
print(json.dumps(types))`;
    expect(run('python3', 'verify.py', program)).toEqual(EXPECTED);
  });
});

describe('the samples that call the API', () => {
  afterEach(() => void vi.unstubAllGlobals());
  const caller = { origin: 'https://hop.example', key: 'k' };
  const samples = [callSample(caller), pagingSample(caller), importSample(caller)];
  const problem = (code: string) => ({ code, detail: 'No.', requestId: 'r' });
  const results = Array.from({ length: 100 }, (_, at) => ({
    verdict: at % 2 === 0 ? 'created' : 'exists',
  }));
  results[98] = Object.assign({ verdict: 'over_quota' }, { detail: 'No room.' });
  type Answer = readonly [status: number, body?: object, retryAfter?: number];
  const ANSWERS: readonly Answer[] = [
    [429, problem('rate_limited'), 3],
    [503, problem('unavailable')],
    [200, {}],
    [200, { data: ['a'], nextCursor: 'x+y' }],
    [200, { data: ['b'], nextCursor: null }],
    [409, problem('request_in_progress'), 120],
    [200, { results }],
    [200, { count: 99 }],
    [204],
    [400, problem('invalid_query'), 1],
    ...Array.from({ length: 5 }, (): Answer => [500, problem('internal')]),
    [429, problem('rate_limited'), 121],
  ];
  const EXPECTED_CALLS = {
    calls: [
      'GET /me',
      'GET /me',
      'GET /me',
      'GET /links?limit=100',
      'GET /links?limit=100&cursor=x%2By',
      'POST /imports',
      'POST /imports',
      'GET /links/count?import=move-from-old-site',
      'DELETE /links/1',
      'GET /x',
      'GET /x',
      'GET /x',
      'GET /x',
      'GET /x',
      'GET /x',
      'GET /x',
    ],
    // Both requests of the import have the same key.
    keys: 1,
    waits: [3, 4, 120, 2, 4, 8, 16],
    links: ['a', 'b'],
    said: 'old-98 over_quota No room.',
    errors: ['invalid_query', 'internal', 'rate_limited'].map((code) => `${code}: No. (r)`),
  };

  it('in JavaScript repeat what may pass, with the same key, and give up at last', async () => {
    const answers = [...ANSWERS];
    const calls: string[] = [];
    const keys = new Set<string | undefined>();
    const waits: number[] = [];
    const said: unknown[] = [];
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      const headers = new Headers(init.headers);
      expect(headers.get('authorization')).toBe('Bearer k');
      expect(headers.get('content-type')).toBe(init.body === undefined ? null : 'application/json');
      calls.push(url.replace('https://hop.example/api/v1', String(init.method)).replace('/', ' /'));
      if (init.method === 'POST') keys.add(headers.get('idempotency-key') ?? '');
      const [status, content, after] = answers.shift() ?? [418];
      const retry: Record<string, string> =
        after === undefined ? {} : { 'Retry-After': `${after}` };
      return new Response(content === undefined ? null : JSON.stringify(content), {
        status,
        headers: retry,
      });
    });
    vi.stubGlobal('setTimeout', (go: () => void, ms: number) => {
      waits.push(ms / 1000);
      queueMicrotask(go);
    });
    vi.stubGlobal('console', {
      log: () => undefined,
      error: (...of: unknown[]) => said.push(...of),
    });
    const program = `${samples.map(({ javascript }) => javascript).join('\n')}
const errors = [];
if (await hop('DELETE', '/links/1') !== null) errors.push('204');
for (const _ of [1, 2, 3]) await hop('GET', '/x').catch(({ message }) => errors.push(message));
export { links, errors };`;
    const { links, errors } = await import(`data:text/javascript,${encodeURIComponent(program)}`);
    expect({ calls, keys: keys.size, waits, links, said: said.join(' '), errors }).toEqual(
      EXPECTED_CALLS,
    );
  });

  it.runIf(hasPython)('in Python do the same', () => {
    const program = `import io, json, sys, time, urllib.error, urllib.request

answers, calls, keys, waits, errors = json.load(sys.stdin), [], set(), [], []
printed, sys.stdout = sys.stdout, io.StringIO()

class Answer(io.BytesIO):
    status = 200

def urlopen(request):
    assert request.get_header("Authorization") == "Bearer k"
    assert (request.data is None) == (request.get_header("Content-type") is None)
    calls.append(request.get_method() + " " + request.full_url.split("/api/v1")[1])
    if request.get_method() == "POST":
        keys.add(request.get_header("Idempotency-key"))
    status, body, after = (answers.pop(0) + [None, None])[:3]
    content = Answer(json.dumps(body).encode())
    content.status = status
    if status < 400:
        return content
    headers = {} if after is None else {"Retry-After": str(after)}
    raise urllib.error.HTTPError(request.full_url, status, "", headers, content)

urllib.request.urlopen = urlopen
time.sleep = waits.append
${samples.map(({ python }) => python).join('\n')}
said = [line for line in sys.stdout.getvalue().splitlines() if line.startswith("old-")]
if hop("DELETE", "/links/1") is not None:
    errors.append("204")
for _ in range(3):
    try:
        hop("GET", "/x")
    except RuntimeError as error:
        errors.append(str(error))
sys.stdout = printed
print(json.dumps(dict(calls=calls, keys=len(keys - {None}), waits=waits, links=links,
    said="; ".join(said), errors=errors)))`;
    expect(run('python3', 'call.py', program, ANSWERS)).toEqual(EXPECTED_CALLS);
  });
});

describe('the reference of the API page', () => {
  const { groups, shapes, errors } = makeReference();
  const operations = groups.flatMap((group) => group.operations);
  const operation = (id: string) => operations.find((one) => one.id === id);

  it.each([
    ['LinkInput', 'url', 'string, at most 2,048 characters', 'required'],
    ['LinkInput', 'code', 'string, ^[A-Za-z0-9_-]{1,20}$', ''],
    ['Link', 'externalId', 'string or null', ''],
    ['Link', 'clicks', 'integer', ''],
    ['RejectedItem', 'errors', 'ProblemPart[]', 'optional'],
    ['RejectedItem', 'ok', 'false', ''],
    ['LinkVariant', 'weight', 'integer, 1 to 99', 'required'],
    ['LinkCardInput', 'description', 'string, at most 280 characters', ''],
    ['LinkAnalytics', 'dimensions', 'names with ValueClicks[]', ''],
    ['WebhookRotation', 'overlapHours', 'integer, 0 to 168, default 24', ''],
    ['RuleConditions', 'device', 'ios | android | desktop[], 1 to 60', ''],
    ['PreviousFigures', 'from', 'date', ''],
    ['ClickedEvent', 'type', '"link.clicked"', ''],
    ['getLinkAnalytics', 'range', 'Range, default 30d', ''],
    ['queryClicks', 'start', 'date or time', ''],
    ['getLink', 'id', 'string', 'required'],
    ['getLink', 'If-None-Match', 'string', ''],
  ])('describes %s.%s as %s', (where, name, type, note) => {
    const { parameters = [], query = [] } = operation(where) ?? {};
    const { fields = [] } = shapes.find((shape) => shape.name === where) ?? {};
    const found = [...parameters, ...query, ...fields].find((field) => field.name === name);
    expect(found).toMatchObject({ type, note });
  });

  it('an operation has a request that works, and its own errors only', () => {
    const common = new Set(errors.map(({ code }) => code));
    expect([...common]).toContain('unauthenticated');
    const own = operations.flatMap((one) => one.errors.map(({ code }) => code));
    expect(own.filter((code) => common.has(code))).toEqual([]);
    expect(operation('deleteLink')?.errors).toEqual([
      { code: 'not_found', status: '404' },
      { code: 'conflict', status: '409' },
      { code: 'precondition_failed', status: '412' },
    ]);
    const requests = ['getQrCodePng', 'deleteLink', 'countLinks'].map(
      (id) => operation(id)?.request,
    );
    const path = expect.stringMatching(/^\/links\/lnk_\w+/);
    expect(requests).toEqual([
      { method: 'GET', path: expect.stringMatching(/qr\.png\?size=512$/), reads: 'file' },
      { method: 'DELETE', path, reads: 'nothing' },
      { method: 'GET', path: '/links/count?status=active&q=example', reads: 'json' },
    ]);
    const answers = operation('getLink')?.answers.map(({ status, type }) => `${status} ${type}`);
    expect(answers).toEqual(['200 Link', '304 ']);
  });
});

describe('llmsText', () => {
  it('contains the guides, every operation and absolute addresses', () => {
    const text = llmsText('https://hop.example');
    for (const part of [
      '# Hop API\n\n> ',
      '## Paging',
      '```python\nimport base64',
      '- [POST /links](https://hop.example/docs/api#createLink): Create a link.',
      '- [link.clicked](https://hop.example/docs/api#event-link.clicked): ',
      'may send 60 requests a minute on Free and 600 on Premium.',
      'may change links 1,000 times a day on Free and 20,000 on Premium,',
      'Each plan creates 25 and 1,000 links a month.',
      'For 24 hours the same request with the same API key gets the first answer',
      'clicks so far, up to 100 rows in a request.',
      'Premium brings 10,000 links with their codes once,',
      '`POST /links/bulk` creates up to 1,000 in one request, as a part of Premium',
      '- `links:create`: For keys that other people can see',
    ])
      expect(text).toContain(part);
    expect(text.match(/\]\((?!https:)[^)]*\)/g)).toBeNull();
  });
});
