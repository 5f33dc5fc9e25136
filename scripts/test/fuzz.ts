import { readArguments } from '#scripts/shared/arguments.ts';
import { randomInt } from 'node:crypto';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { SCOPES } from '#contract/api/scopes.ts';
import { signInDemoAdmin } from '#scripts/demo/sign-ins.ts';
import {
  hasUnknownName,
  KNOWN,
  requestsTo,
  wellFormed,
  type Document,
  type FuzzRequest,
  type Target,
} from './fuzz-requests.ts';
import { withProduct } from '#scripts/local/product.ts';

const { values } = readArguments({
  usage: 'npm test -- fuzz [options]',
  about: `Sends random requests to the public API, made from its OpenAPI document, and checks every answer: no
5xx, and nothing that the document does not describe.`,
  options: {
    minutes: { type: 'string', value: 'N', default: '5', meaning: 'for how long' },
    seed: {
      type: 'string',
      value: 'N',
      meaning: 'replays a run; the order of the answers can differ',
    },
  },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error('--minutes takes a number above 0.');
let seed = Number(values.seed ?? randomInt(2 ** 31));

const KEYS = 8;
const AT_ONCE = 6;
const BATCH = 60;
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) && !Number.isNaN(Date.parse(text)),
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text),
  uri: (text) => URL.canParse(text),
  binary: () => true,
};

const ajv = new Ajv2020({ strict: false, formats: FORMATS });
const validators = new Map<string, ValidateFunction>();
const failures = new Map<string, string>();
const statuses = new Map<string, number>();
const known: Record<string, string[]> = { id: ['1'], code: ['none'], externalId: ['none'] };

await withProduct(async (origin) => {
  const document: Document = JSON.parse(
    await (await fetch(`${origin}/api/v1/openapi.json`)).text(),
  );
  ajv.addSchema(document, 'document');
  const { access_token, user } = await signInDemoAdmin(origin);
  const headers = { Authorization: `Bearer ${access_token}` };
  const keys = await Promise.all(Array.from({ length: KEYS }, () => makeKey(origin, headers)));
  const targets = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Target => ({ method, path, operation })),
  );
  const arbitrary = fc.oneof(...targets.map((target) => requestsTo(target, document)));
  console.log(`${targets.length} operations, ${minutes} minutes, seed ${seed}`);
  const end = Date.now() + minutes * 60_000;
  let sent = 0;
  for (; Date.now() < end; seed += 1) {
    const waiting = fc.sample(arbitrary, { numRuns: BATCH, seed });
    const work = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
        await tryOne(origin, keys[sent++ % KEYS] ?? '', next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    // Deleting links does not restore quota.
    const json = { action: 'reset_usage', user_id: user.id };
    await send(`${origin}/api/admin`, headers, json);
  }
  console.log(
    `${sent} requests: ${[...statuses]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([status, n]) => `${n} × ${status}`)
      .join(', ')}`,
  );
});
for (const [failure, example] of failures) console.error(`\n${failure}\n${example}`);
console.log(failures.size === 0 ? 'Every answer is described.' : `${failures.size} failures.`);
process.exitCode = failures.size === 0 ? 0 : 1;

async function tryOne(origin: string, key: string, request: FuzzRequest): Promise<void> {
  const { target, query, headers, body } = request;
  const path = target.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = request.path[name] ?? '';
    const pool = known[name] ?? [];
    const text = value === KNOWN ? (pool[randomInt(pool.length)] ?? '') : value;
    // An empty part or dots would change the path to another operation.
    return /^\.{0,2}$/.test(text) ? 'x' : encodeURIComponent(wellFormed(text));
  });
  const search = new URLSearchParams(
    query.map(([name, value]): [string, string] => [name, wellFormed(value)]),
  );
  const init = {
    method: target.method.toUpperCase(),
    headers: { 'Content-Type': 'application/json', ...headers, Authorization: `Bearer ${key}` },
    ...(body === null ? {} : { body }),
  };
  const response = await fetch(`${origin}/api/v1${path}?${search.toString()}`, init);
  const text = await response.text();
  const status = String(response.status);
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const complaint =
    response.ok && hasUnknownName(request)
      ? 'an unknown name is accepted'
      : complaintAbout(target, status, response.headers.get('Content-Type'), text);
  if (complaint === null) remember(text);
  else {
    const name = `${init.method} ${target.path}: ${complaint}`;
    if (!failures.has(name))
      failures.set(
        name,
        `${path}?${search.toString()} ${JSON.stringify(init)}\n${status} ${text.slice(0, 500)}`,
      );
  }
}

function complaintAbout(
  { method, path, operation }: Target,
  status: string,
  type: string | null,
  text: string,
): string | null {
  if (Number(status) >= 500) return `status ${status}`;
  const described = operation.responses[status];
  if (described === undefined) return `status ${status} is not described`;
  const types = Object.keys(described.content ?? {});
  if (types.length === 0) return text === '' ? null : 'a body is not described';
  const found = types.find((name) => name === type?.split(';')[0]);
  if (found === undefined) return `content type ${type} is not described`;
  if (!found.endsWith('json')) return null;
  const parts = ['paths', path, method, 'responses', status, 'content', found, 'schema'];
  const pointer = parts
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `document#/${pointer}` });
  validators.set(pointer, validate);
  return validate(JSON.parse(text))
    ? null
    : `${status} does not fit: ${ajv.errorsText(validate.errors)}`;
}

function remember(text: string): void {
  for (const name of ['id', 'code', 'externalId'])
    for (const [, value = ''] of text.matchAll(new RegExp(`"${name}":"([\\w-]+)"`, 'g'))) {
      const pool = known[name] ?? [];
      if (!pool.includes(value)) pool.push(value);
      if (pool.length > 40) pool.shift();
    }
}

async function send(url: string, headers: Record<string, string>, json: unknown): Promise<unknown> {
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(json),
  };
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

async function makeKey(origin: string, headers: Record<string, string>): Promise<string> {
  return String(
    Object(await send(`${origin}/api/keys`, headers, { name: 'Fuzz', scopes: [...SCOPES] })).key,
  );
}
