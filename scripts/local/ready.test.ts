import { createServer } from 'node:http';
import { once } from 'node:events';
import { afterEach, expect, it, vi } from 'vitest';
import { greet, requireFree } from './ready.ts';

afterEach(() => vi.restoreAllMocks());

it('the greeting names the demo accounts and a second host only if they exist', () => {
  const printed = vi.spyOn(console, 'log').mockReturnValue();
  greet('http://localhost:9000', true, 'go.localhost');
  greet('http://localhost:9000', false);
  const [all, few] = printed.mock.calls.map(([text]) => String(text).trim().split('\n'));
  expect(all).toEqual([
    'Hop      http://localhost:9000',
    '  Sign in  admin@example.com / demo-admin   admin, Premium',
    '  Sign in  user@example.com / demo-user   member, Free',
    '  Domain   http://go.localhost:9000   more short links',
    '  Mailbox  http://localhost:9000/dev/mailbox',
    '  Stop     Ctrl-C',
  ]);
  expect(few).toEqual([all?.[0], ...(all?.slice(-2) ?? [])]);
});

it('a start with one of its ports in use ends with 1 and names another port', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const complained = vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`ended with ${code}`);
  });
  // Any port is free for 0.
  await expect(requireFree([0, port], 'start')).rejects.toThrow('ended with 1');
  expect(complained.mock.lastCall?.[0]).toMatch(new RegExp(`PORT=${port + 10} npm start$`));
  server.close();
});
