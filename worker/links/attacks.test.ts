import { expect, test } from 'vitest';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';

const OVER = { APP_ORIGIN: 'https://app.hop.example', SHORT_ORIGIN: 'https://hop.example' };

test('[A16] no link leads to a host that serves us, named in the settings or not', async () => {
  const { headers } = await makePerson();
  for (const origin of ['https://app.hop.example', 'https://hop-worker.example.net', 'https://hop.example.org:8443']) {
    for (const host of [new URL(origin).host, `www.${new URL(origin).hostname}`, 'app.hop.example', 'hop.example']) {
      const json = { longUrl: `https://${host}/abc` };
      const made = await call(`${origin}/api/shorten`, { json, headers }, OVER);
      expect([host, made.status, await made.json()]).toEqual([
        host,
        400,
        expect.objectContaining({ code: 'invalid_target', error: 'This link leads back to us. It is short already.' }),
      ]);
    }
  }
});

test('[A16] a link is not changed to lead to the host that the change came to', async () => {
  const { headers } = await makePerson();
  const json = { longUrl: 'https://example.com/', customCode: 'turn-16' };
  expect((await call('https://hop-worker.example.net/api/shorten', { json, headers }, OVER)).status).toBe(201);
  const change = { method: 'PATCH', json: { longUrl: 'https://hop-worker.example.net/turn-16' }, headers };
  expect((await call('https://hop-worker.example.net/api/links/turn-16', change, OVER)).status).toBe(400);
});
