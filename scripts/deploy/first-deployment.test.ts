import { describe, expect, it } from 'vitest';
import { createUserAgentParser } from '#worker/http/user-agent.ts';
import { runDeploy } from './command.ts';
import { SMOKE_AGENT } from './smoke.ts';
import type { FakePlatform } from './testing/fake-platform.ts';
import { machine, newPlatform, ORIGIN } from './testing/machine.ts';

const HOST = 'hop.example.com';
const MINUTE = 60_000;
const output = ({ lines }: { lines: readonly string[] }) => lines.join('\n');
const notesOf = ({ lines }: { lines: readonly string[] }) =>
  lines.filter((line) => line.startsWith('Note: ')).join('\n');

describe('the hosts of a first deployment', () => {
  it('plants no negative answer with a login that cannot read DNS records', async () => {
    const platform = await newPlatform();
    platform.account.canReadDns = false;
    const owner = machine(platform);
    owner.network.recordMs = MINUTE;
    owner.network.certificateMs = 2 * MINUTE;
    await owner.deploy();
    expect(owner.smoked).toEqual([ORIGIN]);
    expect(output(owner)).not.toContain('cannot be reached yet');
  });

  it('says “not reachable yet” and what to do, after the claim link, and does not fail', async () => {
    const owner = machine(await newPlatform());
    owner.network.certificateMs = 15 * MINUTE;
    const startedAt = owner.network.clock;
    await owner.deploy();
    expect(owner.smoked).toEqual([]);
    expect(owner.network.clock - startedAt).toBe(5 * MINUTE);
    expect(output(owner)).toMatch(
      /\/admin\/claim#[^]*hop\.example\.com cannot be reached yet[^]*run: npm run smoke -- https:\/\/hop/,
    );
  });

  it('waits for the certificate of every host', async () => {
    const owner = machine(await newPlatform());
    owner.network.certificates.set('s.example.com', 4 * MINUTE);
    const vars = { APP_ORIGIN: ORIGIN, SHORT_ORIGIN: 'https://s.example.com' };
    const startedAt = owner.network.clock;
    await owner.deploy({ vars });
    expect(owner.smoked).toEqual([ORIGIN]);
    expect(owner.network.clock - startedAt).toBeGreaterThanOrEqual(4 * MINUTE);
  });

  it('an upgrade fails while its host, which was reachable, is not', async () => {
    const platform = await newPlatform();
    const owner = machine(platform);
    await owner.deploy();
    platform.account
      .database('hop-production')
      .exec(
        `INSERT INTO users (id, email, role, created_at, last_seen_at) VALUES ('u', 'a@example.com', 'admin', 0, 0)`,
      );
    await owner.upgrade();
    owner.network.certificates.set('new.example.com', 24 * 60 * MINUTE);
    await owner.upgrade({ alsoHosts: ['new.example.com'] });
    expect(output(owner)).toContain('new.example.com cannot be reached yet');
    owner.network.certificates.set(HOST, 24 * 60 * MINUTE);
    await expect(owner.upgrade()).rejects.toThrow('cannot be reached yet');
  });

  it('a host that answers with an access rule is not waited for', async () => {
    const owner = machine(await newPlatform());
    owner.network.statuses.set(HOST, 403).set('s.example.com', 401);
    const startedAt = owner.network.clock;
    await owner.deploy({ vars: { APP_ORIGIN: ORIGIN, SHORT_ORIGIN: 'https://s.example.com' } });
    expect(owner.network.clock).toBe(startedAt);
    expect(owner.smoked).toEqual([ORIGIN]);
  });

  it('a host that answers with errors is left to the smoke test', async () => {
    const owner = machine(await newPlatform());
    owner.network.statuses.set(HOST, 522);
    await owner.deploy();
    expect(owner.smoked).toEqual([ORIGIN]);
  });

  it('a wildcard is not taken for a record, and a note says what could not be checked', async () => {
    const platform = await newPlatform();
    platform.account.canReadDns = false;
    const owner = machine(platform);
    owner.network.wildcard = '192.0.2.9';
    await owner.deploy();
    expect(notesOf(owner)).toContain(`Whether ${HOST} already has a DNS record could not be`);
  });

  it('a record that only the name servers show stops the deployment', async () => {
    const platform = await newPlatform();
    platform.account.canReadDns = false;
    platform.account.dnsRecords.set(HOST, 'A 192.0.2.1');
    await expect(machine(platform).deploy()).rejects.toThrow('a DNS record (192.0.2.1)');
    // A wildcard does not answer for the domain itself.
    platform.account.dnsRecords.set('example.com', 'A 192.0.2.2');
    const owner = machine(platform);
    owner.network.wildcard = '192.0.2.9';
    await expect(owner.deploy({ vars: { APP_ORIGIN: 'https://example.com' } })).rejects.toThrow(
      'a DNS record (192.0.2.2)',
    );
  });

  it('without anybody to ask about DNS the deployment continues with a note', async () => {
    const platform = await newPlatform();
    platform.account.canReadDns = false;
    const owner = machine(platform);
    owner.network.canLookUp = false;
    await owner.deploy();
    expect(notesOf(owner)).toContain('could not be checked');
    expect(owner.smoked).toEqual([ORIGIN]);
  });
});

const zone = (change: object) => (p: FakePlatform) =>
  p.account.zones[0] && Object.assign(p.account.zones[0], change);
const foreignDatabase = (sql: string) => async (p: FakePlatform) => {
  const owner = machine(p);
  await owner.deploy();
  const [id, entry] = [...p.account.databases].at(0) ?? [];
  p.account.workers.clear();
  p.account.domains.clear();
  if (id === undefined || entry === undefined) throw new Error('There is no database.');
  const { DatabaseSync } = await import('node:sqlite');
  const db = new DatabaseSync(':memory:');
  db.exec(sql);
  p.account.databases.set(id, { ...entry, db });
  p.writes.length = 0;
};

it.each<[string, RegExp, (platform: FakePlatform) => unknown]>([
  ['R2 is off', /Enable it at https:\/\/dash\.cloudflare\.com/, (p) => (p.account.hasR2 = false)],
  ['D1 is not permitted', /lacks the permission D1 \(Edit\)/, deny(/\/d1\//)],
  ['KV is not permitted', /permission Workers KV Storage \(Edit\)/, deny(/\/storage\/kv/)],
  ['queues are not permitted', /permission Queues \(Edit\)/, deny(/\/queues/)],
  ['R2 is not permitted', /permission Workers R2 Storage \(Edit\)/, deny(/\/r2\//)],
  ['Workers are not permitted', /permission Workers Scripts \(Edit\)/, deny(/\/workers\//)],
  ['zones are not permitted', /permission Zone \(Read\)/, deny(/\/zones$/)],
  [
    'the zone is another account’s',
    /belongs to another account/,
    zone({ account: 'f'.repeat(32) }),
  ],
  ['the zone is pending', /Enter its name servers \(ada\.ns/, zone({ status: 'pending' })],
  ['the database is not ours', /not Hop’s/, foreignDatabase('CREATE TABLE customers (id INTEGER)')],
  [
    'the database has migrations of another product',
    /not Hop’s/,
    foreignDatabase(
      `CREATE TABLE d1_migrations (id, name); INSERT INTO d1_migrations VALUES (1, '0001_init.sql')`,
    ),
  ],
])('a deployment changes nothing if %s, and says what to do', async (_, message, arrange) => {
  const platform = await newPlatform();
  await arrange(platform);
  const names = platform.account.names();
  await expect(machine(platform).deploy()).rejects.toThrow(message);
  expect(platform.account.names()).toEqual(names);
  expect(platform.writes).toEqual([]);
});

function deny(requests: RegExp) {
  return (p: FakePlatform): void => void (p.account.denied = requests);
}

it('all problems with the account are named at once', async () => {
  const platform = await newPlatform();
  platform.account.denied = /\/(d1|queues)/;
  platform.account.hasR2 = false;
  const refusal = machine(platform).deploy();
  await expect(refusal).rejects.toThrow(/Nothing was changed:\n[^]*D1 \(Edit\)[^]*Queues \(Edit\)/);
  await expect(refusal).rejects.toThrow('R2, which holds the backups');
});

it('a login that may only read queues learns the permission when they are created', async () => {
  const platform = await newPlatform();
  platform.account.denied = /^POST .*\/queues$/;
  const owner = machine(platform);
  await expect(owner.deploy()).rejects.toThrow(/lacks the permission Queues \(Edit\)/);
  platform.account.denied = null;
  await owner.upgrade();
  expect(owner.smoked).toEqual([ORIGIN]);
});

it('an upload that the platform refuses because of R2 names the page for it', async () => {
  const platform = await newPlatform();
  platform.account.bindsR2 = false;
  const owner = machine(platform);
  await expect(owner.deploy()).rejects.toThrow(/^R2, which holds [^]*dash\.cloudflare\.com/);
  platform.account.bindsR2 = true;
  await owner.upgrade();
  expect(owner.smoked).toEqual([ORIGIN]);
});

it('settings are stored before anything is created, so a rerun needs no options', async () => {
  const platform = await newPlatform();
  const owner = machine(platform);
  const vars = { APP_ORIGIN: ORIGIN, MAIL_FROM: 'hop@example.com' };
  platform.breakAfterWrite(1);
  await expect(owner.deploy({ vars })).rejects.toThrow();
  await owner.upgrade();
  const [version] = platform.account.workers.get('hop-production')?.versions ?? [];
  expect(version?.bindings).toContainEqual(
    expect.objectContaining({ name: 'MAIL_FROM', text: 'hop@example.com' }),
  );
});

it.each(['workers_paid', 'WORKERS_PAID', 'workers_ent', 'enterprise'])(
  'the rate plan %s is Workers Paid',
  async (id) => {
    const platform = await newPlatform();
    platform.account.plans = [{ id: 'r2_standard' }, { id }];
    const owner = machine(platform);
    await owner.deploy({ vars: { APP_ORIGIN: ORIGIN, AUTH_AUTOCONFIRM: 'on' } });
    expect(notesOf(owner)).toBe('');
  },
);

it.each(['contract', 'partners_workers_ss', 'r2_standard'])(
  'the rate plan %s is a warning, and `--plan paid` ends it',
  async (id) => {
    const platform = await newPlatform();
    platform.account.plans = [{ id }];
    const owner = machine(platform);
    await owner.deploy();
    expect(notesOf(owner)).toContain(`subscriptions (${id}) do not say`);
    owner.lines.length = 0;
    await owner.upgrade({ vars: { WORKERS_PLAN: 'paid' } });
    expect(notesOf(owner)).not.toContain('subscriptions');
  },
);

it.each([[[]], [[{ id: 'workers_free' }]], [[{ id: 'CF_PRO', scope: 'zone' }]]])(
  'the subscriptions %j are the free plan, unless `--plan paid` says otherwise',
  async (plans) => {
    const platform = await newPlatform();
    platform.account.plans = plans;
    const owner = machine(platform);
    await expect(owner.deploy()).rejects.toThrow('on the free plan');
    await owner.deploy({ vars: { APP_ORIGIN: ORIGIN, WORKERS_PLAN: 'paid' } });
    expect(owner.smoked).toEqual([ORIGIN]);
  },
);

it('finds its resources in an account with more than a page of them', async () => {
  const platform = await newPlatform();
  // Others may hold a zone of the name, and it may wait for its name servers in this account, too.
  const { zones } = platform.account;
  const [own] = zones;
  if (own === undefined) throw new Error('There is no zone.');
  zones.unshift(
    { ...own, id: 'of another', account: 'f'.repeat(32) },
    { ...own, id: 'waiting', status: 'pending' },
  );
  for (let at = 0; at < 120; at++) platform.account.namespaces.set(`id${at}`, `other-${at}`);
  const owner = machine(platform);
  await owner.deploy();
  await owner.upgrade();
  expect(
    [...platform.account.namespaces.values()].filter((name) => name.startsWith('hop')),
  ).toEqual(['hop-production-links']);
});

it('--skip-smoke deploys without a smoke test and says so', async () => {
  const owner = machine(await newPlatform());
  const open = () => Promise.resolve(owner.tools);
  await runDeploy(['--origin', ORIGIN, '--skip-smoke'], open, owner.folder);
  expect(owner.smoked).toEqual([]);
  expect(output(owner)).toContain(`The smoke test of ${ORIGIN} is skipped.`);
});

it('the smoke test names itself, and its click counts', () => {
  expect(SMOKE_AGENT).toMatch(/^Hop-Smoke-Test/);
  expect(createUserAgentParser()(SMOKE_AGENT)).toMatchObject({ bot: false });
});
