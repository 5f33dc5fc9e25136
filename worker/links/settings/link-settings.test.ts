import { env } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import type { AccountExport, ExportedLink } from '#contract/account/account.ts';
import {
  LINK_SETTINGS,
  SETTING_NAMES,
  shownAs,
  type SettingName,
  type SettingValues,
} from '#contract/links/link-settings.ts';
import type { LinkHistory, ListedLink, ShortenResponse } from '#contract/links/links.ts';
import type { V1Link } from '#contract/v1/v1.ts';
import { openDb } from '#worker/db/client.ts';
import { links } from '#worker/db/schema-links.ts';
import { LINK_DATA } from '#worker/events/record-link-events.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { importRows } from '#worker/testing/import.ts';
import type { Person } from '#worker/testing/make.ts';

/** Two values of each kind, as responses show them. A setting of another kind fails to compile. */
const VALUES: { [Kind in keyof SettingValues]: [unknown, unknown] } = {
  time: ['2098-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z'],
  flag: [true, false],
  count: [3, 5],
  text: ['first', 'second'],
  url: ['https://example.com/after', 'https://example.com/later'],
  status: [301, 308],
  password: ['first', ''],
  watch: ['on', 'always'],
  fallback: ['archive', 'https://example.com/kept'],
  params: [['ref'], 'all'],
  rules: [
    [{ if: { device: ['ios'] }, to: 'https://example.com/app' }],
    [{ if: { country: ['BR'] }, to: 'https://example.com/br' }],
  ],
  variants: [
    [{ url: 'https://example.com/b', weight: 30 }],
    [
      { url: 'https://example.com/b', weight: 20 },
      { url: 'https://example.com/c', weight: 20 },
    ],
  ],
};
/** A start is before the end. */
const STARTS: [unknown, unknown] = ['2096-01-01T00:00:00.000Z', '2097-01-01T00:00:00.000Z'];

const valuesOf = (name: SettingName): [unknown, unknown] =>
  name === 'startsAt' ? STARTS : VALUES[LINK_SETTINGS[name].kind];

type Origin = (typeof LINK_SETTINGS)[SettingName]['givenBy'][number];
const givenBy = (origin: Origin): SettingName[] =>
  SETTING_NAMES.filter((name) => LINK_SETTINGS[name].givenBy.some((one) => one === origin));

/** The first value of each of these settings, under the names of the public API. */
const firstValues = (names: readonly SettingName[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, valuesOf(name)[0]]));

/** A value as responses show it. */
const shown = (name: SettingName, value: unknown): unknown =>
  name === 'password' ? value !== '' : value;

const rename = (values: Record<string, unknown>, nameOf: (name: SettingName) => string) =>
  Object.fromEntries(
    SETTING_NAMES.filter((name) => name in values).map((name) => [
      nameOf(name),
      shown(name, values[name]),
    ]),
  );
/** The same values in responses of the public API. */
const byName = (values: Record<string, unknown>): Record<string, unknown> =>
  rename(values, (name) => shownAs(name).name);
/** The same values in responses of /api. */
const byColumn = (values: Record<string, unknown>): Record<string, unknown> =>
  rename(values, (name) => shownAs(name).column);

/** A value as a request to /api has it: times in ms. */
const forPage = (name: SettingName, value: unknown): unknown =>
  LINK_SETTINGS[name].kind === 'time' ? Date.parse(String(value)) : value;

const exportOf = async ({ headers }: Person): Promise<ExportedLink[]> =>
  (await (await call('/api/account/export', { headers })).json<AccountExport>()).links;

/** The edge record of a link, without its version. */
async function edgeRecordOf(code: string): Promise<unknown> {
  const { v: _, ...record } = JSON.parse((await env.LINKS.get(code)) ?? '{}');
  return record;
}

it('every setting can be given, changed one by one, published, recorded and exported', async () => {
  const holder = await makeKey();
  const { headers } = holder.person;
  const given = firstValues(givenBy('v1'));
  const response = await send(holder, 'POST /links', {
    json: { url: 'https://example.com/', ...given },
  });
  const created = await response.json<V1Link>();
  expect(created).toMatchObject(byName(given));
  const changed: Record<string, unknown> = {};
  for (const name of SETTING_NAMES) {
    const { isPublished } = LINK_SETTINGS[name];
    const { column, name: member } = shownAs(name);
    const next = valuesOf(name).find(
      (value) => JSON.stringify(shown(name, value)) !== JSON.stringify(created[member]),
    );
    const record = await edgeRecordOf(created.code);
    const answer = await call(`/api/links/${created.code}`, {
      method: 'PATCH',
      json: { [name]: forPage(name, next) },
      headers,
    });
    expect((await answer.json<ListedLink>())[column], name).toEqual(shown(name, next));
    const after = await edgeRecordOf(created.code);
    // A change of this one is checked like that of a destination, but no redirect reads it.
    if (isPublished && name !== 'watchFallback') expect(after, name).not.toEqual(record);
    else expect(after, name).toEqual(record);
    changed[name] = next;
  }
  const history = await call(`/api/links/${created.code}/history`, { headers });
  const { changes } = await history.json<LinkHistory>();
  const [exported] = await exportOf(holder.person);
  expect(exported).toMatchObject(byColumn(changed));
  for (const name of SETTING_NAMES) {
    const { hasHistory } = LINK_SETTINGS[name];
    const { column, name: member } = shownAs(name);
    const before = { [column]: created[member] };
    if (!hasHistory) expect(changes[0]?.before, name).not.toHaveProperty(column);
    else {
      expect(changes, name).toContainEqual(
        expect.objectContaining({
          before: expect.objectContaining(before),
          after: expect.objectContaining({ [column]: shown(name, changed[name]) }),
        }),
      );
      expect(exported?.history, name).toContainEqual(expect.objectContaining(before));
    }
  }
  const [event] = await openDb(env.DB)
    .select({ data: LINK_DATA.mapWith(JSON.parse) })
    .from(links)
    .where(eq(links.code, created.code));
  for (const name of SETTING_NAMES) expect(event?.data, name).toHaveProperty(name);
  const again = firstValues(SETTING_NAMES);
  const patched = await send(holder, `PATCH /links/${created.id}`, { json: again });
  expect(await patched.json()).toMatchObject(byName(again));
});

it('every setting of a form and of an import reaches the new link', async () => {
  const { person } = await makeKey();
  const { headers } = person;
  const inForm = firstValues(givenBy('page'));
  const given = givenBy('page').map((name) => [name, forPage(name, inForm[name])]);
  const response = await call('/api/shorten', {
    json: { longUrl: 'https://example.com/', ...Object.fromEntries(given) },
    headers,
  });
  const { code } = await response.json<ShortenResponse>();
  const listed = await call(`/api/links/${code}`, { headers });
  expect(await listed.json()).toMatchObject(byColumn(inForm));
  const imported = firstValues(givenBy('import'));
  await importRows(person, [{ line: 1, url: 'https://example.com/', code: 'every', ...imported }]);
  expect(await exportOf(person)).toContainEqual(
    expect.objectContaining({ short_code: 'every', ...byColumn(imported) }),
  );
});
