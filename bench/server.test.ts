import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { sender } from './server.ts';

it('a sender sends whole bodies, and a failed connection has the status 0', async () => {
  const server = createServer((request, response) => {
    const { method, headers, url } = request;
    void text(request).then((body) =>
      response.writeHead(201).end([method, url, headers['content-length'], body].join(' ')),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { send, reopened, close } = sender(`http://127.0.0.1:${port}`, 1);
  const posted = await send('/a?b', { method: 'POST', body: 'é' });
  expect([posted.status, posted.body]).toEqual([201, 'POST /a?b 2 é']);
  expect((await send('/c')).body).toBe('GET /c  ');
  close();
  server.close();
  await once(server, 'close');
  expect(await send('/d')).toMatchObject({ status: 0, body: expect.stringContaining('REFUSED') });
  expect(reopened()).toBe(0);
});
