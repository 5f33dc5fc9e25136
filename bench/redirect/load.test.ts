import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { createLoad, HOST, requestsFor } from './load.ts';
import { linksFor } from './targets.ts';

/** A server that answers every request with this status. Returns what it got. */
async function serverWith(status: number) {
  const got: string[] = [];
  const server = createServer((socket) =>
    socket.on('data', (data) => {
      got.push(data.toString());
      socket.write(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`);
    }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { got, port, close: () => server.close() };
}

it('the load sends the same requests to all ports, and counts their redirects', async () => {
  const servers = [await serverWith(302), await serverWith(302)];
  const load = await createLoad(
    servers.map(({ port }) => port),
    3,
  );
  const requests = requestsFor(['a', 'b']);
  expect(requests.length).toBe(8);
  expect(await load.send(requests, 0)).toBe(3);
  load.close();
  const [one, other] = servers.map(({ got }) => got.toSorted());
  expect(one).toEqual(other);
  expect(new Set(one).size).toBe(3);
  for (const text of one ?? [])
    expect(text).toMatch(new RegExp(`^GET /[ab] .*\r\nHost: ${HOST}\r`));
  for (const { close } of servers) close();
});

it('the load fails where a response is no redirect', async () => {
  const { port, close } = await serverWith(301);
  const load = await createLoad([port], 1);
  await expect(load.send(requestsFor(['a']), 0)).rejects.toThrow('Not a redirect: HTTP/1.1 301');
  load.close();
  close();
});

it('a thousand links have codes of seven characters, each its own', () => {
  const codes = linksFor(1_000).map(({ code }) => code);
  expect(new Set(codes).size).toBe(1_000);
  expect(new Set(codes.map(({ length }) => length))).toEqual(new Set([7]));
});
