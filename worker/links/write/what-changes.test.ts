import { env } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dayNumber } from '#contract/reports/periods.ts';
import { DAY_MS } from '#contract/time.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { insertRow, rowTimes } from '#worker/testing/stored-links.ts';
import { deliveriesOf, heldQueue, makeEndpoint } from '#worker/testing/webhooks.ts';

/**
 * What each change of a link writes, and which of its times. Two links of a member, of which one
 * has an earlier code, have all times different; a third one is never changed.
 */

const NOW = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
const TIMES = rowTimes(NOW);
const queue = heldQueue();
let serial = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

type Row = Record<string, unknown>;
const all = async (query: string, ...values: unknown[]): Promise<Row[]> =>
  (
    await env.DB.prepare(query)
      .bind(...values)
      .all<Row>()
  ).results;

/** Inserts a link with these columns. Returns its code. */
const insert = (columns: Row): Promise<string> =>
  insertRow(NOW, { external_id: `id-${++serial}`, ...columns });

type Account = { person: Person; endpoint: { id: string }; codes: [string, string, string] };

async function makeAccount(columns: Row = {}): Promise<Account> {
  const person = await makePerson();
  const endpoint = await makeEndpoint(person);
  const own = { user_id: person.id, ...columns };
  const codes: Account['codes'] = [await insert(own), await insert(own), await insert(own)];
  await insert({
    code: `was-${codes[0]}`,
    status: 'deleted',
    target: '',
    target_host: '',
    external_id: null,
    earlier_code_of: (await all('SELECT id FROM links WHERE code = ?1', codes[0]))[0]?.['id'],
  });
  return { person, endpoint, codes };
}

/** The rows of an account, by table. */
const snapshot = async ({ person, codes }: Account) => ({
  links: await all('SELECT * FROM links WHERE user_id = ?1 ORDER BY id', person.id),
  tags: await all(
    `SELECT link_created_at, tags.name FROM link_tags JOIN links ON links.id = link_id
     JOIN tags ON tags.id = tag_id WHERE links.user_id = ?1 ORDER BY link_id`,
    person.id,
  ),
  outbox: await all(
    `SELECT o.version, o.queued_at FROM link_outbox o JOIN links l ON l.id = o.link_id
     WHERE l.user_id = ?1 ORDER BY l.id`,
    person.id,
  ),
  history: await all(
    `SELECT at, status, archived, c.code FROM link_changes c
     WHERE link_id IN (SELECT id FROM links WHERE code IN (?1, ?2, ?3)) ORDER BY link_id`,
    ...codes,
  ),
  counted: (
    await all(
      'SELECT count, expires_at FROM counters WHERE key = ?1',
      `account:${person.id}:link-changes:${dayNumber(NOW)}`,
    )
  )[0],
});

/** Times as they differ from NOW. */
const relative = (value: unknown): unknown =>
  typeof value === 'number' && value > 1e12 ? `now + ${value - NOW}` : value;

/** The columns of each link that a change has written. */
const differences = (before: Row[], after: Row[]): Row[] =>
  after.map((row, at) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([name, value]) => name !== 'words' && before[at]?.[name] !== value)
        .map(([name, value]) => [name, relative(value)]),
    ),
  );

async function act(
  account: Account,
  request: Row,
  overrides: Partial<Env> = {},
): Promise<Awaited<ReturnType<typeof result>>> {
  const before = await snapshot(account);
  const [first, second] = account.codes;
  const response = await call(
    '/api/links/actions',
    { json: { codes: [second, `was-${first}`], ...request }, headers: account.person.headers },
    { ...queue, ...overrides },
  );
  expect(await response.json()).toMatchObject({
    lines: [
      { ok: true, code: second },
      { ok: true, code: `was-${first}` },
    ],
  });
  return result(account, before);
}

async function result(account: Account, before: Awaited<ReturnType<typeof snapshot>>) {
  const after = await snapshot(account);
  const [first, second, third] = differences(before.links, after.links);
  expect(third).toEqual({});
  return {
    first,
    second,
    // A row of the outbox and of the history is that of the link at the time.
    outbox: after.outbox.map(({ version, queued_at }) => [version, relative(queued_at)]),
    history: after.history.map(({ at }) => relative(at)),
    events: (await deliveriesOf(account.endpoint)).map(({ type }) => type),
    counted: after.counted?.['count'],
  };
}

const OFF = { status: 'disabled', disabled_by: 'owner' };
const TRASHED = { status: 'deleted' };
const REDIRECT = { version: 6, updated_at: 'now + 0', changes_until: 'now + 2000' };
const NOTED = { updated_at: 'now + 0', notes_version: 1 };
const QUEUED = [
  [6, 'now + 0'],
  [6, 'now + 0'],
];
const TWICE = ['now + 0', 'now + 0'];
/** One change counts once for each code: 2 + 1. A change of notes counts once for each link. */
const BY_CODE = 3;
const BY_LINK = 2;

describe('POST /api/links/actions', () => {
  it.each<[string, Row, Row, Row, string]>([
    ['disable', {}, {}, { ...REDIRECT, ...OFF }, 'link.disabled'],
    ['enable', {}, OFF, { ...REDIRECT, status: 'active', disabled_by: null }, 'link.updated'],
    ['set_end', { expiresAt: null }, {}, { ...REDIRECT, expires_at: null }, 'link.updated'],
    [
      'set_end',
      { expiresAt: NOW + 1 },
      OFF,
      { ...REDIRECT, expires_at: 'now + 1' },
      'link.updated',
    ],
    ['delete', {}, {}, { ...REDIRECT, status: 'deleted' }, 'link.deleted'],
    ['delete', {}, OFF, { ...REDIRECT, status: 'deleted' }, 'link.deleted'],
    ['restore', {}, TRASHED, { ...REDIRECT, status: 'active' }, 'link.created'],
    [
      'restore',
      {},
      { status: 'deleted', disabled_by: 'owner', disabled_reason: 'x' },
      { ...REDIRECT, status: 'disabled', disabled_reason: null },
      'link.created',
    ],
    ['archive', {}, {}, { ...NOTED, archived: 1 }, 'link.updated'],
    ['unarchive', {}, { archived: 1 }, { ...NOTED, archived: 0 }, 'link.updated'],
    [
      'set_watch',
      { watch: 'always' },
      { watch: 'on', next_check_at: 9 },
      { ...NOTED, watch: 'always', next_check_at: 0 },
      'link.updated',
    ],
  ])(
    '%s writes columns, outbox, history and events: %j, %j',
    async (action, more, is, written, event) => {
      const account = await makeAccount(is);
      expect(await act(account, { action, ...more })).toEqual({
        first: written,
        second: written,
        outbox: 'notes_version' in written ? [] : QUEUED,
        history: TWICE,
        events: [event, event],
        counted: 'notes_version' in written ? BY_LINK : BY_CODE,
      });
    },
  );

  it.each([
    ['favorite', {}, { ...NOTED, favorite: 1 }],
    ['unfavorite', { favorite: 1 }, { ...NOTED, favorite: 0 }],
  ])('%s is not in the history', async (action, is, written) => {
    expect(await act(await makeAccount(is), { action })).toEqual({
      first: written,
      second: written,
      outbox: [],
      history: [],
      events: ['link.updated', 'link.updated'],
      counted: BY_LINK,
    });
  });

  it('tags keep the time at which their links were created, for the order of lists', async () => {
    const account = await makeAccount();
    const tags = async () => (await snapshot(account)).tags;
    await act(account, { action: 'add_tags', tags: ['one', 'two'] });
    const tagged = (name: string) => ({ name, link_created_at: TIMES.created_at });
    expect(await tags()).toEqual([tagged('one'), tagged('two'), tagged('one'), tagged('two')]);
    const removed = await act(account, { action: 'remove_tags', tags: ['ONE'] });
    expect(await tags()).toEqual([tagged('two'), tagged('two')]);
    // Both changes are in one millisecond, and the history keeps the state before the first.
    expect(removed).toMatchObject({ first: {}, second: {}, history: TWICE, counted: 4 });
    const none = await act(account, { action: 'remove_tags', tags: ['one'] });
    expect(none.history).toEqual(TWICE);
  });

  it.each(['enable', 'restore'])('%s asks for the reputation at once', async (action) => {
    const account = await makeAccount(action === 'enable' ? OFF : TRASHED);
    const on = { REPUTATION_DOH_URL: 'https://dns.example/{host}' };
    const { first, second } = await act(account, { action }, on);
    expect([first, second]).toMatchObject([{ recheck_at: 'now + 0' }, { recheck_at: 'now + 0' }]);
  });

  it('restore leaves an external id to the link that has taken it', async () => {
    const account = await makeAccount(TRASHED);
    const [row] = await all('SELECT external_id FROM links WHERE code = ?1', account.codes[0]);
    await insert({ user_id: account.person.id, external_id: row?.['external_id'] });
    const { first, second } = await act(account, { action: 'restore' });
    expect([first?.['external_id'], second?.['external_id']]).toEqual([null, undefined]);
  });

  it.each([
    ['set_end', { expiresAt: NOW }, {}, 'The end date is in the past. Choose a later one.'],
    ['enable', {}, { status: 'disabled', disabled_by: 'admin' }, 'We disabled this link'],
    ['disable', {}, { status: 'disabled', disabled_by: 'admin' }, 'We disabled this link'],
    [
      'set_end',
      { expiresAt: null },
      { status: 'disabled', disabled_by: 'blocklist' },
      'We disabled this link',
    ],
    ['restore', {}, {}, "We couldn't find that link"],
    ['archive', {}, TRASHED, "We couldn't find that link"],
    ['favorite', {}, TRASHED, "We couldn't find that link"],
    ['restore', {}, { ...TRASHED, updated_at: NOW - 30 * DAY_MS }, "We couldn't find that link"],
  ])('%s changes no link that is in the wrong state: %j, %j', async (action, more, is, error) => {
    const account = await makeAccount(is);
    const before = await snapshot(account);
    const response = await call(
      '/api/links/actions',
      { json: { codes: account.codes, action, ...more }, headers: account.person.headers },
      queue,
    );
    const { lines } = await response.json<{ lines: { ok: boolean; error: string }[] }>();
    expect(lines.map((line) => line.error.startsWith(error))).toEqual([true, true, true]);
    expect(await snapshot(account)).toEqual(before);
  });
});

describe('PATCH /api/links/:code', () => {
  const HISTORY = ['now + 0'];
  const published = (changes: Row, events = ['link.updated']) => ({
    first: { ...REDIRECT, ...changes },
    second: {},
    outbox: [[6, 'now + 0']],
    history: HISTORY,
    events,
    counted: 2,
  });
  const noted = (changes: Row, history = HISTORY) => ({
    first: { ...NOTED, ...changes },
    second: {},
    outbox: [],
    history,
    events: Object.keys(changes).length === 0 ? [] : ['link.updated'],
    counted: 1,
  });
  it.each<[Row, Row, object]>([
    [
      { longUrl: 'https://example.org/new' },
      {},
      published({
        target: 'https://example.org/new',
        target_host: 'example.org',
        target_changed_at: 'now + 0',
        recheck_at: null,
      }),
    ],
    [{ longUrl: 'https://example.com/old' }, {}, published({ recheck_at: null })],
    [{ expiresAt: NOW + 1 }, {}, published({ expires_at: 'now + 1' })],
    [{ expiresAt: null }, {}, published({ expires_at: null })],
    [{ forwardParams: ['a', 'b'] }, {}, published({ forward_params: 'a,b' })],
    [{ enabled: false }, {}, published(OFF, ['link.disabled'])],
    [{ enabled: true }, OFF, published({ status: 'active', disabled_by: null, recheck_at: null })],
    [{ title: 'T' }, {}, noted({ title: 'T' })],
    [{ note: 'N' }, {}, noted({ note: 'N' })],
    [{ archived: true }, {}, noted({ archived: 1 })],
    [{ favorite: true }, {}, noted({ favorite: 1 }, [])],
    [{ title: '' }, {}, noted({}, [])],
  ])('a change of %j writes row, history and events: %j', async (json, is, expected) => {
    const account = await makeAccount(is);
    const before = await snapshot(account);
    const response = await call(
      `/api/links/was-${account.codes[0]}`,
      { method: 'PATCH', json, headers: account.person.headers },
      queue,
    );
    expect(response.status).toBe(200);
    const rows = await result(account, before);
    expect(rows).toEqual(expected);
  });

  it('tags keep the time at which the link was created, alone and beside a new target', async () => {
    const account = await makeAccount();
    const patch = async (json: object) => {
      const headers = account.person.headers;
      await call(`/api/links/${account.codes[0]}`, { method: 'PATCH', json, headers }, queue);
      return (await snapshot(account)).tags;
    };
    const tagged = (name: string) => ({ name, link_created_at: TIMES.created_at });
    expect(await patch({ tags: ['one'] })).toEqual([tagged('one')]);
    expect(await patch({ tags: ['one', 'two'], longUrl: 'https://example.com/b' })).toEqual([
      tagged('one'),
      tagged('two'),
    ]);
    expect(await patch({ tags: [] })).toEqual([]);
  });

  it('a new code keeps the old one at the new version, and costs a write for each code', async () => {
    const account = await makeAccount();
    const [code] = account.codes;
    const before = await snapshot(account);
    const response = await call(
      `/api/links/${code}`,
      { method: 'PATCH', json: { customCode: `new-${code}` }, headers: account.person.headers },
      queue,
    );
    expect(await response.json()).toMatchObject({ earlier_codes: [code, `was-${code}`] });
    expect(await result(account, before)).toMatchObject({
      first: { ...REDIRECT, code: `new-${code}`, is_alias: 1 },
      events: ['link.updated'],
      counted: 3,
    });
    const [kept] = await all(
      'SELECT version, created_at, updated_at, status, target, user_id FROM links WHERE code = ?1',
      code,
    );
    expect(kept).toEqual({
      version: 6,
      created_at: NOW,
      updated_at: NOW,
      status: 'deleted',
      target: '',
      user_id: null,
    });
  });

  it('DELETE writes the state alone, also when the changes of the day are used up', async () => {
    const account = await makeAccount();
    await env.DB.prepare('INSERT INTO counters (key, count, expires_at) VALUES (?1, 1000, ?2)')
      .bind(`account:${account.person.id}:link-changes:${dayNumber(NOW)}`, NOW + DAY_MS)
      .run();
    const before = await snapshot(account);
    const [code] = account.codes;
    const init = { method: 'DELETE', headers: account.person.headers };
    expect((await call(`/api/links/${code}`, init, queue)).status).toBe(200);
    expect(await result(account, before)).toEqual({
      first: { ...REDIRECT, status: 'deleted' },
      second: {},
      outbox: [[6, 'now + 0']],
      history: HISTORY,
      events: ['link.deleted'],
      counted: 1002,
    });
  });
});
