import { connect, type Socket } from 'node:net';

const CONNECTIONS = 32;
/** The host that every request names. */
export const HOST = 'go.hop.example';
const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
];
const REFERRERS = ['', '', 'https://www.google.com/', 'https://t.co/', 'https://www.reddit.com/'];
const PLACES = [
  '{"country":"US","region":"California","city":"San Jose"}',
  '{"country":"DE","region":"Hesse","city":"Frankfurt am Main"}',
  '{"country":"JP","region":"Tokyo","city":"Tokyo"}',
];

/** Requests for `codes` with the headers that browsers and Cloudflare send. */
export function requestsFor(codes: readonly string[]): Buffer[] {
  return codes.flatMap((code, at) =>
    [0, 1, 2, 3].map((copy) => {
      const n = at * 4 + copy;
      const referrer = REFERRERS[n % REFERRERS.length];
      const head = [
        `GET /${code} HTTP/1.1`,
        `Host: ${HOST}`,
        `User-Agent: ${AGENTS[(n >> 1) % AGENTS.length]}`,
        'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
        'Accept-Language: en-US,en;q=0.9',
        `CF-Connecting-IP: 203.0.113.${n % 254}`,
        `MF-CF-Blob: ${PLACES[n % PLACES.length]}`,
        ...(referrer === '' ? [] : [`Referer: ${referrer}`]),
      ];
      return Buffer.from(`${head.join('\r\n')}\r\n\r\n`);
    }),
  );
}

/**
 * Connects to all `ports`. `send` sends requests for `ms` milliseconds, as fast as they are
 * answered, and returns how many each port answered. Every connection goes through the ports in
 * turns, one request after the other, so that all of them answer the same requests at the same
 * time. Throws if a response is not a 302.
 */
export async function createLoad(ports: readonly number[], connections = CONNECTIONS) {
  const lines = await Promise.all(
    Array.from({ length: connections }, async (_, i) => ({
      at: i * 131,
      sockets: await Promise.all(ports.map(open)),
    })),
  );

  return {
    async send(requests: readonly Buffer[], ms: number): Promise<number> {
      const end = performance.now() + ms;
      let turns = 0;
      const follow = async (line: { at: number; sockets: Socket[] }): Promise<void> => {
        do {
          // The step is prime, so every code is requested equally often.
          line.at = (line.at + 7_919) % requests.length;
          for (const socket of line.sockets)
            await redirectOf(socket, requests[line.at] ?? Buffer.alloc(0));
          turns++;
        } while (performance.now() < end);
      };
      await Promise.all(lines.map(follow));
      return turns;
    },

    close(): void {
      for (const { sockets } of lines) for (const socket of sockets) socket.destroy();
    },
  };
}

const open = (port: number): Promise<Socket> =>
  new Promise((done, fail) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    socket.on('connect', () => done(socket));
    socket.on('error', fail);
  });

const redirectOf = (socket: Socket, request: Buffer): Promise<void> =>
  new Promise((done, fail) => {
    socket.once('data', (chunk) => {
      const isWhole = chunk.indexOf('\r\n\r\n') === chunk.length - 4;
      if (isWhole && chunk.toString('latin1', 9, 12) === '302') done();
      else fail(new Error(`Not a redirect: ${chunk.toString('latin1', 0, 300)}`));
    });
    socket.write(request);
  });
