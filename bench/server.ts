import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { withLocalDatabase } from '#scripts/shared/local-database.ts';

/** A server's response. Status 0 means that the connection failed. */
export type Answer = { status: number; headers: IncomingHttpHeaders; body: string };
export type Sent = { method?: string; headers?: Record<string, string>; body?: string };
export type Send = (path: string, sent?: Sent) => Promise<Answer>;

/**
 * Sends requests to `origin` over up to `connections` persistent connections. A request whose
 * connection the server had already closed is sent again; `reopened` counts them.
 */
export function sender(
  origin: string,
  connections: number,
): { send: Send; reopened: () => number; close: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(origin);
  let reopened = 0;
  /** Undefined if the server had closed the connection. */
  const attempt = (
    path: string,
    { method = 'GET', headers = {}, body }: Sent,
  ): Promise<Answer | undefined> =>
    new Promise((done) => {
      const length =
        body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
      const options = {
        agent,
        hostname,
        port,
        path,
        method,
        headers: { ...headers, ...length },
        timeout: 60_000,
      };
      const call = request(options, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => (text += chunk));
        answer.on('end', () =>
          done({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }),
        );
        answer.on('error', () =>
          done({ status: 0, headers: {}, body: 'the response was cut off' }),
        );
      });
      call.on('timeout', () => call.destroy(new Error('no answer within a minute')));
      call.on('error', (error) => {
        const closed = call.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
        done(closed ? undefined : { status: 0, headers: {}, body: error.message });
      });
      call.end(body);
    });
  const send: Send = async (path, sent = {}) => {
    for (;;) {
      const answer = await attempt(path, sent);
      if (answer !== undefined) return answer;
      reopened++;
    }
  };
  return { send, reopened: () => reopened, close: () => agent.destroy() };
}

export const rowsOf = (
  state: string,
  sql: string,
  ...params: string[]
): Record<string, unknown>[] => withLocalDatabase(state, (db) => db.prepare(sql).all(...params));

/** Resident memory, in MiB, of all `workerd` processes below the process `root`. */
export function workerdMemory(root: number): number {
  const children = new Map<number, { pid: number; name: string }[]>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      children.set(parent, [...(children.get(parent) ?? []), { pid: Number(entry), name }]);
    } catch {
      // The process has ended in the meantime.
    }
  }
  const under = (pid: number): number =>
    (children.get(pid) ?? []).reduce(
      (sum, child) => sum + (child.name === 'workerd' ? rss(child.pid) : 0) + under(child.pid),
      0,
    );
  return under(root);
}

function rss(pid: number): number {
  try {
    return (
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
    );
  } catch {
    return 0;
  }
}
