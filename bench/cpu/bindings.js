// The storage of the Worker that is measured: a D1, a KV namespace, a bucket and queues behind the
// interfaces that workerd's bindings speak. It runs in a separate process, because the platform
// does not count the CPU time of storage as the Worker's.
let used = nothing();
function nothing() {
  return { calls: 0, d1Calls: 0, statements: 0, kvWrites: 0, rowsWritten: 0, rowsByTable: {} };
}

const REPLIES = { d1, kv, r2, queue, assets, cache, network, usage };

export default {
  fetch(request, env) {
    used.calls++;
    return REPLIES[request.headers.get('Bench-Binding')](request, env);
  },
};

/** Returns what has been used since the last time. */
function usage() {
  // This one.
  used.calls--;
  const answer = Response.json(used);
  used = nothing();
  return answer;
}

async function d1(request, env) {
  used.d1Calls++;
  const { pathname, search } = new URL(request.url);
  const body = await request.text();
  // The binding's own connection to the database: what it answers is what the measured binding
  // reads.
  const answer = await env.DB.fetcher.fetch(`http://d1${pathname}${search}`, {
    method: 'POST',
    body,
    headers: request.headers,
  });
  const text = await answer.text();
  const statements = [JSON.parse(body)].flat();
  for (const [at, { meta }] of [JSON.parse(text)].flat().entries()) {
    const rows = meta?.rows_written ?? 0;
    used.statements++;
    used.rowsWritten += rows;
    if (rows === 0) continue;
    const table = /(?:into|update|from)\s+"?(\w+)/i.exec(statements[at].sql)?.[1] ?? 'others';
    used.rowsByTable[table] = (used.rowsByTable[table] ?? 0) + rows;
  }
  return new Response(text, { status: answer.status, headers: answer.headers });
}

async function kv(request, env) {
  const key = decodeURIComponent(new URL(request.url).pathname.slice(1));
  if (request.method === 'GET') {
    const value = await env.LINKS.get(key);
    return new Response(value, { status: value === null ? 404 : 200 });
  }
  used.kvWrites++;
  if (request.method === 'PUT') await env.LINKS.put(key, await request.text());
  else await env.LINKS.delete(key);
  return new Response(null);
}

async function r2(request, env) {
  if (request.method === 'GET') {
    const command = JSON.parse(request.headers.get('cf-r2-request'));
    if (command.method === 'list') return r2Answer(await listed(env.BACKUPS, command));
    const object = await env.BACKUPS[command.method](command.object);
    if (object === null) {
      const error = JSON.stringify({ version: 0, v4code: 10007, message: 'no such object' });
      return new Response(null, { status: 404, headers: { 'cf-r2-error': error } });
    }
    return r2Answer(facts(object), 'body' in object ? await object.bytes() : new Uint8Array());
  }
  const bytes = new Uint8Array(await request.arrayBuffer());
  const size = Number(request.headers.get('cf-r2-metadata-size'));
  const command = JSON.parse(new TextDecoder().decode(bytes.subarray(0, size)));
  if (command.method === 'delete') {
    await env.BACKUPS.delete(command.object ?? command.objects);
    return new Response(null);
  }
  return r2Answer(facts(await env.BACKUPS.put(command.object, bytes.subarray(size))));
}

async function listed(bucket, { prefix, delimiter }) {
  const { objects, delimitedPrefixes, truncated } = await bucket.list({ prefix, delimiter });
  return { objects: objects.map(facts), delimitedPrefixes, truncated };
}

const facts = ({ key, version, size, etag, uploaded }) => ({
  name: key,
  version,
  size,
  etag,
  uploaded: uploaded.getTime(),
  customFields: [],
  checksums: {},
});

function r2Answer(json, body = new Uint8Array()) {
  const head = new TextEncoder().encode(JSON.stringify(json));
  return new Response(new Blob([head, body]), {
    headers: { 'cf-r2-metadata-size': String(head.length) },
  });
}

async function queue(request) {
  await request.arrayBuffer();
  return Response.json({
    metadata: { metrics: { backlogCount: 0, backlogBytes: 0, oldestMessageTimestamp: 0 } },
  });
}

function assets(request, env) {
  return env.FILES.fetch(request.url);
}

/** A cache that never has an entry. */
function cache(request) {
  if (request.method === 'PUT') return new Response(null, { status: 204 });
  return new Response(null, { status: 504, headers: { 'CF-Cache-Status': 'MISS' } });
}

/** The network: the keys of the hosted sign-in project, and nothing else. */
function network(request, env) {
  if (request.url.endsWith('/jwks.json')) return new Response(env.JWKS);
  return new Response('There is no network in this benchmark.', { status: 503 });
}
