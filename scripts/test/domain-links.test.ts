import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { findCrossed } from './domain-links.ts';

/** What `findCrossed` says of a release that answers with the status of `answer`. */
async function crossedBy(answer: (isOwnHost: boolean, path: string) => number) {
  const server = createServer(({ headers, url = '' }, response) =>
    response.writeHead(answer(headers.host !== 'go.acme.example', url)).end(),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const lines = await findCrossed(`http://${host}`);
  server.close();
  return lines.map((line) => line.replace(host, 'own'));
}

it('a release that knows no domains refuses their hosts and the keys of their links', async () => {
  const isOwn = (path: string) => path === '/on-a-domain';
  expect(await crossedBy((own, path) => (own ? (isOwn(path) ? 302 : 404) : 421))).toEqual([]);
  expect(await crossedBy(() => 302)).toEqual([
    'go.acme.example/on-a-domain answers 302, not 421',
    'go.acme.example/d.example999/on-a-domain answers 302, not 421',
    'own/d.example999/on-a-domain answers 302, not 404',
    'own/d.example999/on-a-domain+ answers 302, not 404',
  ]);
});
