import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { freePort } from '#scripts/local/product.ts';
import { createFakeSaas, type FakeSaas } from '#worker/testing/fake-saas.ts';

export type SaasServer = {
  saas: FakeSaas;
  /** The settings of a deployment that uses it, as lines of an env file. */
  settings: string;
  stop: () => void;
};

/** Serves the fake platform and its resolvers, whose table and clock the test changes directly. */
export async function startSaasServer(): Promise<SaasServer> {
  const saas = createFakeSaas({
    zoneId: 'zone',
    token: 'the-token-of-the-browser-tests',
    target: 'in.saas.test',
  });
  const origin = `http://localhost:${await freePort()}`;
  const server = createServer((request, response) => {
    void answer(request).then(async (answered) => {
      response.writeHead(answered.status, { 'Content-Type': 'application/json' });
      response.end(await answered.text());
    });
  });
  const answer = async (request: IncomingMessage): Promise<Response> => {
    const body = Buffer.concat(await request.toArray()).toString();
    return saas.respond(`${origin}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { Authorization: request.headers.authorization ?? '' },
      body,
    });
  };
  server.listen(Number(new URL(origin).port), 'localhost');
  await once(server, 'listening');
  const settings = Object.entries(saas.settings)
    .map(([name, value]) => `${name}="${value.replaceAll('https://saas.test', origin)}"\n`)
    .join('');
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { saas, settings, stop };
}
