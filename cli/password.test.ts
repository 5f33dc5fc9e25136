import { expect, it, vi } from 'vitest';
import { hop } from './testing/hop.ts';

const stdin = vi.hoisted(() => ({ text: '' }));
vi.mock('node:stream/consumers', () => ({ text: async () => stdin.text }));

const LINK = { id: 'l1', code: 'abc', shortUrl: 'https://hop.example/abc' };
const server = () => Response.json(LINK, { status: 201 });
const bodies = async (argv: string[]) => (await hop(argv, server)).sent.map(({ body }) => body);

it('--password reads the password from standard input, and is no argument', async () => {
  stdin.text = ' open sesame \nthe next line\n';
  const url = 'https://example.com/';
  expect(await bodies(['shorten', url, '--password'])).toMatchObject([
    { url, password: 'open sesame' },
  ]);
  const [without] = await bodies(['shorten', url]);
  expect(without).not.toHaveProperty('password');
  stdin.text = '\n';
  const empty = await hop(['shorten', url, '--password'], server);
  expect([empty.code, empty.sent]).toEqual([2, []]);
  expect(empty.err).toContain('Use --no-password to remove it.');
});
