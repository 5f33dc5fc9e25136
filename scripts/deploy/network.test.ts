import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, expect, it, vi } from 'vitest';
import { askOverHttps, askServers, network } from './network.ts';

afterEach(() => vi.unstubAllGlobals());

/** A DNS server (RFC 1035 §4) that knows one host, with an IPv4 address. */
async function nameServer(known: string) {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, 12) + 5;
    const question = query.subarray(12, end);
    const isKnown = question.includes(Buffer.from(known.split('.')[0] ?? ''));
    const hasAnswer = isKnown && query.readUInt16BE(end - 4) === 1;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(isKnown ? 0x8400 : 0x8403, 2);
    header.writeUInt16BE(hasAnswer ? 1 : 0, 6);
    header.writeUInt32BE(0, 8);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7]);
    const parts = [header, question, ...(hasAnswer ? [record] : [])];
    socket.send(Buffer.concat(parts), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { server: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}

it('name servers say which hosts have an address', async () => {
  const { server, close } = await nameServer('hop.example.com');
  expect(await askServers([server], 'hop.example.com')).toBe('192.0.2.7');
  expect(await askServers([server], 'new.example.com')).toBeNull();
  close();
});

it('servers that cannot be asked are an error instead of a missing host', async () => {
  await expect(askServers([], 'hop.example.com')).rejects.toThrow('No DNS server');
});

it('a resolver over HTTPS says which hosts have an address', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url);
    const isKnown = url.includes('name=hop.') && url.endsWith('type=AAAA');
    return Promise.resolve(Response.json(isKnown ? { Answer: [{ data: '2001:db8::7' }] } : {}));
  });
  expect(await askOverHttps('hop.example.com')).toBe('2001:db8::7');
  expect(await askOverHttps('new.example.com')).toBeNull();
  expect(asked.length).toBe(5);
  // Without a name server to ask.
  expect(await network.lookUp('hop.example.com', [])).toBe('2001:db8::7');
});

it('the health of a host is the status of its robots.txt, or null', async () => {
  const asked: unknown[] = [];
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  vi.stubGlobal('fetch', async (url: string, { redirect, headers }: RequestInit) => {
    asked.push([url, redirect, headers]);
    if (url.includes('new.')) throw new Error('refused');
    return new Response(null, { status: 421 });
  });
  expect(await network.checkHealth('hop.example.com')).toBe(421);
  expect(await network.checkHealth('new.example.com')).toBeNull();
  const agent = { 'User-Agent': 'Hop-Smoke-Test/1 (npm run smoke)' };
  expect(asked[0]).toEqual(['https://hop.example.com/robots.txt', 'manual', agent]);
  expect(timeout.mock.calls).toEqual([[10_000], [10_000]]);
  timeout.mockRestore();
});
