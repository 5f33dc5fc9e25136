import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterAll, describe, expect, it } from 'vitest';
import { verifySample } from '#web/features/api-docs/guide-samples.ts';
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

/** Runs a program that prints the types of the events that it accepts. */
function run(command: string, file: string, program: string): unknown {
  const path = join(folder, file);
  writeFileSync(path, program);
  const { stdout, stderr } = spawnSync(command, [path], {
    input: JSON.stringify({ secret, cases: CASES }),
    encoding: 'utf8',
  });
  return stdout === '' ? stderr : JSON.parse(stdout);
}

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

  const hasPython = spawnSync('python3', ['--version']).status === 0;
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
    ])
      expect(text).toContain(part);
    expect(text.match(/\]\((?!https:)[^)]*\)/g)).toBeNull();
  });
});
