import { expect, it } from 'vitest';
import type { ListedLink, ShortenResponse } from '#contract/links/links.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';

const END = Date.UTC(2100, 0, 31, 12);
const FORMS = [
  ['milliseconds', END],
  ['RFC 3339 in UTC', '2100-01-31T12:00:00Z'],
  ['RFC 3339 with an offset', '2100-01-31T13:30:00.000+01:30'],
] as const;
const NO_TIMES = ['2100-01-31', '2100-01-31T12:00:00', '31.01.2100', String(END), '', 1.5];

const shorten = (person: Person, expiresAt?: unknown): Promise<Response> =>
  call('/api/shorten', {
    json: { longUrl: 'https://example.com/', expiresAt },
    headers: person.headers,
  });
const codeIn = async (response: Response): Promise<string> =>
  (await response.json<ShortenResponse>()).code;

/** Each route that gives a link an end, for a link that exists. */
const ROUTES = {
  'POST /api/shorten': (person: Person, _: string, expiresAt: unknown) =>
    shorten(person, expiresAt),
  'PATCH /api/links/:code': (person: Person, code: string, expiresAt: unknown) =>
    call(`/api/links/${code}`, { method: 'PATCH', json: { expiresAt }, headers: person.headers }),
  'POST /api/links/actions': (person: Person, code: string, expiresAt: unknown) =>
    call('/api/links/actions', {
      json: { codes: [code], action: 'set_end', expiresAt },
      headers: person.headers,
    }),
} as const;

it.each(Object.entries(ROUTES))('%s takes times as RFC 3339 and in ms', async (name, send) => {
  const person = await makePerson();
  for (const [form, time] of FORMS) {
    const code = await codeIn(await shorten(person));
    const response = await send(person, code, time);
    expect(response.ok, form).toBe(true);
    const changed = name === 'POST /api/shorten' ? await codeIn(response) : code;
    const link = await call(`/api/links/${changed}`, { headers: person.headers });
    expect((await link.json<ListedLink>()).expires_at, form).toBe('2100-01-31T12:00:00.000Z');
  }
});

it.each(Object.entries(ROUTES))('%s rejects texts that are no times', async (_name, send) => {
  const person = await makePerson();
  const code = await codeIn(await shorten(person));
  for (const time of NO_TIMES) {
    const response = await send(person, code, time);
    expect(response.status, String(time)).toBe(400);
    expect(await response.json()).toMatchObject({
      field: 'expiresAt',
      error:
        'The end date must be a time like 2027-01-31T12:00:00Z, or in milliseconds since 1970.',
    });
  }
});

it('POST /api/shorten gives a new link tags, a title and a note', async () => {
  const person = await makePerson();
  const response = await call('/api/shorten', {
    json: {
      longUrl: 'https://example.com/',
      customCode: 'tagged',
      title: ' Autumn  sale ',
      note: 'First line\nsecond line',
      tags: ['autumn', '2026'],
    },
    headers: person.headers,
  });
  expect(response.status).toBe(201);
  const link = await call('/api/links/tagged', { headers: person.headers });
  expect(await link.json()).toMatchObject({
    title: 'Autumn sale',
    note: 'First line\nsecond line',
    tags: [{ name: '2026' }, { name: 'autumn' }],
  });
});
