import { describe, expect, it } from 'vitest';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';

/** Without a host of their own for short links, the application is served on all hosts. */
const OVERRIDES = {
  APP_ORIGIN: 'https://app.hop.example',
  SHORT_ORIGIN: '',
  EXTRA_HOSTS: 'hop-worker.example.net, hop.example.org',
};

describe('a link to the deployment itself', () => {
  it('[A16] a link is not created for any host that serves us', async () => {
    const { headers } = await makePerson();
    for (const origin of [
      'https://app.hop.example',
      'https://hop-worker.example.net',
      'https://hop.example.org:8443',
    ]) {
      for (const host of [
        new URL(origin).host,
        `www.${new URL(origin).hostname}`,
        'app.hop.example',
        'hop.example.org',
      ]) {
        const json = { longUrl: `https://${host}/abc` };
        const response = await call(`${origin}/api/shorten`, { json, headers }, OVERRIDES);
        expect([host, response.status, await response.json()]).toEqual([
          host,
          400,
          expect.objectContaining({
            code: 'invalid_target',
            error: 'This link points to this site and is already short.',
          }),
        ]);
      }
    }
  });

  it('[A16] a link is not created for the short host, or for one that has been moved', async () => {
    const { headers } = await makePerson();
    const separate = { ...OVERRIDES, SHORT_ORIGIN: 'https://hop.example' };
    for (const host of ['hop.example', 'www.hop.example', 'hop-worker.example.net']) {
      const response = await call(
        'https://app.hop.example/api/shorten',
        { json: { longUrl: `https://${host}/abc` }, headers },
        separate,
      );
      expect([host, response.status]).toEqual([host, 400]);
    }
  });

  it('[A16] a change sent to another host of ours does not make a link to us', async () => {
    const { headers } = await makePerson();
    const json = { longUrl: 'https://example.com/', customCode: 'turn-16' };
    expect(
      (await call('https://hop-worker.example.net/api/shorten', { json, headers }, OVERRIDES))
        .status,
    ).toBe(201);
    const change = {
      method: 'PATCH',
      json: { longUrl: 'https://hop-worker.example.net/turn-16' },
      headers,
    };
    expect(
      (await call('https://hop-worker.example.net/api/links/turn-16', change, OVERRIDES)).status,
    ).toBe(400);
  });
});
