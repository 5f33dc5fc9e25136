import { env } from 'cloudflare:test';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_DOMAIN, linkKey, type DomainId } from '#contract/codes/domain-key.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { links } from '#worker/db/schema-links.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { publishLinks } from '#worker/edge/publish.ts';
import { syncSharedHosts } from '#worker/domains/sync-shared-hosts.ts';
import { hostKey } from '#worker/redirect/host-record.ts';
import { call } from '#worker/testing/call.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { SAAS_TARGET, startSaas } from '#worker/testing/member-domains.ts';
import { UNTOUCHABLE_DB } from '#worker/testing/stored-links.ts';
import { checkProperty, PROPERTY_TIMEOUT } from '#worker/testing/soak.ts';

const WHO = ['a', 'b'] as const;
type Who = (typeof WHO)[number];
type Owner = Who | 'operator';
const ACTIONS = ['claims', 'checks', 'enters', 'proves', 'breaks', 'leaves', 'deletes'] as const;

/**
 * `checks` changes no record, `enters` adds a TXT record, `proves` replaces that of the other member,
 * `breaks` removes the CNAME record, `leaves` the TXT record as well. The operator `names` the host in
 * SHORT_HOSTS and `drops` it from there.
 */
type TenantStep =
  | `${Who} ${(typeof ACTIONS)[number]}`
  | `${Who} gives to ${Who}`
  | `operator ${'names' | 'drops'} host`
  | `operator ${'suspends' | 'restores'} ${Who}`;

const STEPS: readonly TenantStep[] = [
  ...WHO.flatMap((who) => ACTIONS.map((action): TenantStep => `${who} ${action}`)),
  'a gives to b',
  'b gives to a',
  'operator names host',
  'operator drops host',
  ...WHO.flatMap((who): TenantStep[] => [`operator suspends ${who}`, `operator restores ${who}`]),
];

const other = (who: Who): Who => (who === 'a' ? 'b' : 'a');

/** Must be larger than how long an isolate remembers a host and a link. */
const MEMORY_MS = 5_000;
let worlds = 0;

/**
 * Two members and an operator about one host. Each has a link with the same code on every domain that
 * the host has ever led to for them; the operator also has one on another host of SHORT_HOSTS and on
 * the deployment's own. Visits to these hosts follow each step, from memory, KV and D1.
 */
async function makeTenants() {
  worlds += 1;
  const host = `go.tenants-${worlds}.com`;
  const code = `sale-${worlds}`;
  const kit = startSaas({ LINK_MEMORY_MS: String(MEMORY_MS), CLICK_WINDOW_MS: '1' });
  const people: Record<Who, Person> = { a: await makePerson(), b: await makePerson() };
  const db = openDb(env.DB);
  const suspended = new Set<Who>();
  const targets = new Map<string, Owner>();
  const linked = new Set<DomainId>();
  const sharedHost = `shared.tenants-${worlds}.com`;
  const ownHost = `own.tenants-${worlds}.com`;
  let shortHosts = [sharedHost];
  let now = Date.now();
  let visits = 0;
  const clock = vi.useFakeTimers({ toFake: ['Date'], now });
  const proofs: Record<Who, string> = { a: '', b: '' };

  /** A host comes to a member only by their record, and from the other one once theirs is gone. */
  function expectProof(step: TenantStep, former: Owner | null, owner: Owner | null): void {
    if (owner === null || owner === 'operator' || owner === former || step.includes('gives'))
      return;
    expect(proofs[owner], `the record of ${owner} after ${step}`).not.toBe('');
    if (former !== null) expect(proofs[other(owner)], `the record of ${former}`).toBe('');
  }

  const holder = () =>
    env.DB.prepare(
      'SELECT d.id, d.owner_id AS owner FROM domain_hosts AS h JOIN domains AS d ON d.id = h.domain_id WHERE h.host = ?',
    )
      .bind(host)
      .first<{ id: DomainId; owner: string }>();
  const nameOf = (id: string | undefined): Owner | null =>
    id === '' ? 'operator' : (WHO.find((who) => people[who].id === id) ?? null);
  const enter = () =>
    kit.saas.setRecords(
      `_hop.${host}`,
      'TXT',
      WHO.map((who) => proofs[who]).filter((value) => value !== ''),
    );

  /** Gives a domain the link with the code that all of them have. */
  async function link(id: DomainId, owner: Owner): Promise<void> {
    if (linked.has(id)) return;
    linked.add(id);
    const target = `https://example.com/${owner}/${linked.size}`;
    targets.set(target, owner);
    const [made] = await db
      .insert(links)
      .values({
        code: linkKey(id, code),
        target,
        target_host: 'example.com',
        user_id: owner === 'operator' ? null : people[owner].id,
        created_at: now,
        updated_at: now,
      })
      .returning({ id: links.id });
    await publishLinks(env, [made?.id ?? 0], now);
  }

  const settingsNow = (): Partial<Env> => ({
    ...kit.settings,
    APP_ORIGIN: 'https://hop.example',
    SHORT_ORIGIN: `https://${ownHost}`,
    SHORT_HOSTS: shortHosts.join(' '),
  });

  /** The operator's other two hosts never change hands, so each visit takes one of them in turn. */
  async function visit(overrides: Partial<Env>, from: string): Promise<void> {
    const held = await holder();
    visits += 1;
    const owners: [string, Owner | null][] = [
      [visits % 2 === 0 ? sharedHost : ownHost, 'operator'],
      [host, nameOf(held?.owner)],
    ];
    const settings = { ...settingsNow(), ...overrides };
    const visitOne = async ([at, owner]: (typeof owners)[number]): Promise<void> => {
      const { status, headers } = await call(`https://${at}/${code}`, {}, settings);
      const target = headers.get('Location');
      const told = `${at}, ${from}: ${status} ${target} while ${owner} has the host`;
      if (owner === null) expect(status, told).toBe(421);
      else if (owner !== 'operator' && suspended.has(owner)) expect(status, told).toBe(410);
      else expect(targets.get(target ?? ''), told).toBe(owner);
    };
    // Together, because each waits for a timer of its isolate.
    await Promise.all(owners.map(visitOne));
  }

  await link(await makeDomain(sharedHost), 'operator');
  await link(DEFAULT_DOMAIN, 'operator');

  const act: Record<string, (who: Who) => Promise<unknown>> = {
    claims: (who) => kit.add(people[who], host),
    checks: (who) => kit.ask(people[who], 'POST', `/${host}/check`),
    enters: async (who) => {
      const claimed = await kit.ask(people[who], 'GET', `/${host}`);
      if (claimed.status !== 200) return;
      proofs[who] = kit.proofOf(await claimed.json());
      enter();
      kit.saas.setRecords(host, 'CNAME', [SAAS_TARGET]);
      await kit.ask(people[who], 'POST', `/${host}/check`);
    },
    proves: async (who) => {
      // A member who can change the records replaces those of the other.
      proofs[other(who)] = '';
      await act['enters']?.(who);
    },
    breaks: async () => kit.saas.setRecords(host, 'CNAME', []),
    leaves: async (who) => {
      proofs[who] = '';
      enter();
      kit.saas.setRecords(host, 'CNAME', []);
    },
    deletes: (who) => kit.ask(people[who], 'DELETE', `/${host}`, { name: host }),
  };

  async function suspend(who: Who, isSuspended: boolean): Promise<void> {
    const at = isSuspended ? now : null;
    await env.DB.prepare('UPDATE users SET suspended_at = ?2 WHERE id = ?1')
      .bind(people[who].id, at)
      .run();
    if (isSuspended) suspended.add(who);
    else suspended.delete(who);
    await kit.publish();
  }

  return {
    async step(step: TenantStep): Promise<void> {
      const [first = '', action = '', , last = ''] = step
        .replace('gives to', 'gives - ')
        .split(/ +/);
      const former = nameOf((await holder())?.owner);
      const before = await env.LINKS.get(hostKey(env.LINKS_EPOCH, host));
      const who = first === 'operator' ? null : WHO.find((name) => name === first);
      if (action === 'names') shortHosts = [sharedHost, host];
      else if (action === 'drops') shortHosts = [sharedHost];
      else if (who === null)
        await suspend(WHO.find((name) => step.endsWith(name)) ?? 'a', action === 'suspends');
      else if (who !== undefined && action === 'gives') {
        const to = WHO.find((name) => name === last) ?? 'a';
        await kit.ask(people[who], 'POST', `/${host}/transfer`, { email: people[to].email });
        await kit.ask(people[to], 'POST', `/${host}/transfer/accept`);
      } else if (who !== undefined) await act[action]?.(who);
      await syncSharedHosts({ ...env, ...settingsNow() }, now);
      await kit.publish();
      const held = await holder();
      const owner = nameOf(held?.owner);
      expectProof(step, former, owner);
      if (held !== null && owner !== null) await link(held.id, owner);
      await visit({}, 'memory or KV');
      now += MEMORY_MS + 1;
      clock.setSystemTime(now);
      if (owner !== null && owner !== former && before !== null) {
        await visit({ LINKS: lateKv(env, host, before) }, 'a late KV');
        now += MEMORY_MS + 1;
        clock.setSystemTime(now);
      }
      // Only an unknown host is looked up in D1.
      await visit(held === null ? {} : { DB: UNTOUCHABLE_DB }, 'KV');
      now += MINUTE_MS;
      clock.setSystemTime(now);
      await kit.runJob(now);
      await visit({ LINKS: silentKv(env.LINKS) }, 'D1');
      now += MINUTE_MS;
      clock.setSystemTime(now);
    },
    end: (): void => void vi.useRealTimers(),
  };
}

/** A store in which the former record of the host is still visible. */
const lateKv = ({ LINKS, LINKS_EPOCH }: Env, host: string, record: string): KVNamespace =>
  withMethods(LINKS, {
    get: (key: string) =>
      key === hostKey(LINKS_EPOCH, host) ? Promise.resolve(record) : LINKS.get(key),
  });

/** A store that has nothing and takes nothing. */
const silentKv = (kv: KVNamespace): KVNamespace =>
  withMethods(kv, { get: () => Promise.resolve(null), put: () => Promise.resolve() });

/** Each names who acts: a, b or the operator. */
const TAKEOVER: TenantStep[] = [
  'a claims', 'a checks', 'a proves', 'a breaks', 'b claims', 'b checks', 'b enters', 'b proves', 'a proves', 'b proves',
]; // prettier-ignore
const RETURN: TenantStep[] = [
  'a claims', 'a proves', 'a leaves', 'b claims', 'b proves', 'b leaves', 'a proves', 'operator suspends a', 'operator restores a',
]; // prettier-ignore
const GIFT: TenantStep[] = [
  'a claims', 'a proves', 'a gives to b', 'operator suspends b', 'b gives to a', 'operator restores b', 'b gives to a', 'a deletes', 'b claims', 'b proves',
]; // prettier-ignore
const ENDS: TenantStep[] = [
  'a claims', 'b claims', 'b proves', 'operator suspends b', 'a proves', 'b deletes', 'operator restores b', 'b deletes', 'a proves', 'a breaks',
]; // prettier-ignore
/** The operator names the host before, while and after members have it. */
const SHARED: TenantStep[] = [
  'a claims', 'operator names host', 'a proves', 'operator drops host', 'a proves', 'operator names host', 'a deletes', 'operator names host', 'b claims', 'operator drops host',
]; // prettier-ignore

afterEach(() => vi.restoreAllMocks());

describe('tenants of a host', () => {
  it(
    'a redirect never crosses owners: from memory, KV or D1',
    { timeout: PROPERTY_TIMEOUT },
    async () => {
      await checkProperty(
        'tenants',
        fc.asyncProperty(
          fc.array(fc.constantFrom(...STEPS), { minLength: 4, maxLength: 12 }),
          async (steps) => {
            const world = await makeTenants();
            for (const step of steps) await world.step(step);
            world.end();
          },
        ),
        6,
        {
          seed: 20261126,
          examples: [TAKEOVER, RETURN, GIFT, ENDS, SHARED].map((steps): [TenantStep[]] => [steps]),
        },
      );
    },
  );
});
