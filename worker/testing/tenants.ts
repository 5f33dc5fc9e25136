import { expect, vi } from 'vitest';
import { linkKey, type DomainId } from '#contract/domain-key.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { links } from '#worker/db/schema-links.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { publishLinks } from '#worker/edge/publish.ts';
import { call } from './call.ts';
import { makePerson, type Person } from './make.ts';
import { SAAS_TARGET, startSaas } from './member-domains.ts';
import { UNTOUCHABLE_DB } from './stored-links.ts';

const WHO = ['a', 'b'] as const;
type Who = (typeof WHO)[number];
const ACTIONS = ['claims', 'proves', 'breaks', 'leaves', 'deletes'] as const;

/** `breaks` removes the CNAME record, `leaves` the TXT record as well. */
export type TenantStep =
  | `${Who} ${(typeof ACTIONS)[number]}`
  | `${Who} gives to ${Who}`
  | `operator ${'suspends' | 'restores'} ${Who}`;

export const STEPS: readonly TenantStep[] = [
  ...WHO.flatMap((who) => ACTIONS.map((action): TenantStep => `${who} ${action}`)),
  'a gives to b',
  'b gives to a',
  ...WHO.flatMap((who): TenantStep[] => [`operator suspends ${who}`, `operator restores ${who}`]),
];

/** Must be larger than how long an isolate remembers a host and a link. */
const MEMORY_MS = 5_000;
let worlds = 0;

/**
 * Two members and an operator about one host. Both members have a link with the same code on every
 * domain that the host has ever led to for them. `visit` follows each step, from memory, KV and D1.
 */
export async function makeTenants(env: Env) {
  worlds += 1;
  const host = `go.tenants-${worlds}.com`;
  const kit = startSaas({ LINK_MEMORY_MS: String(MEMORY_MS), CLICK_WINDOW_MS: '1' });
  const people: Record<Who, Person> = { a: await makePerson(), b: await makePerson() };
  const db = openDb(env.DB);
  const suspended = new Set<Who>();
  const targets = new Map<string, Who>();
  const linked = new Set<DomainId>();
  let now = Date.now();
  const clock = vi.useFakeTimers({ toFake: ['Date'], now });
  const proofs: Record<Who, string> = { a: '', b: '' };

  const holder = () =>
    env.DB.prepare(
      'SELECT d.id, d.owner_id AS owner FROM domain_hosts AS h JOIN domains AS d ON d.id = h.domain_id WHERE h.host = ?',
    )
      .bind(host)
      .first<{ id: DomainId; owner: string }>();
  const nameOf = (id: string | undefined): Who | null =>
    WHO.find((who) => people[who].id === id) ?? null;
  const enter = () =>
    kit.saas.setRecords(
      `_hop.${host}`,
      'TXT',
      WHO.map((who) => proofs[who]).filter((value) => value !== ''),
    );

  /** Gives a domain a link with the code that all of them have. */
  async function link(): Promise<void> {
    const held = await holder();
    const owner = nameOf(held?.owner);
    if (held === null || owner === null || linked.has(held.id)) return;
    linked.add(held.id);
    const target = `https://example.com/${owner}/${linked.size}`;
    targets.set(target, owner);
    const [made] = await db
      .insert(links)
      .values({
        code: linkKey(held.id, 'sale'),
        target,
        target_host: 'example.com',
        user_id: people[owner].id,
        created_at: now,
        updated_at: now,
      })
      .returning({ id: links.id });
    await publishLinks(env, [made?.id ?? 0], now);
  }

  async function visit(overrides: Partial<Env>, from: string): Promise<void> {
    const held = await holder();
    const owner = nameOf(held?.owner);
    const settings = { ...kit.settings, APP_ORIGIN: 'https://hop.example', ...overrides };
    const { status, headers } = await call(`https://${host}/sale`, {}, settings);
    const target = headers.get('Location');
    const told = `${from}: ${status} ${target} while ${owner} has the host`;
    if (owner === null) expect(status, told).toBe(421);
    else if (suspended.has(owner)) expect(status, told).toBe(410);
    else expect(targets.get(target ?? ''), told).toBe(owner);
  }

  const act: Record<string, (who: Who) => Promise<unknown>> = {
    claims: (who) => kit.add(people[who], host),
    proves: async (who) => {
      const claimed = await kit.ask(people[who], 'GET', `/${host}`);
      if (claimed.status !== 200) return;
      const { records } = await claimed.json<{ records: { type: string; value: string }[] }>();
      // Whoever can change the records replaces those of the other.
      proofs.a = '';
      proofs.b = '';
      proofs[who] = records.find(({ type }) => type === 'TXT')?.value ?? '';
      enter();
      kit.saas.setRecords(host, 'CNAME', [SAAS_TARGET]);
      await kit.ask(people[who], 'POST', `/${host}/check`);
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
      const who = first === 'operator' ? null : WHO.find((name) => name === first);
      if (who === null)
        await suspend(WHO.find((name) => step.endsWith(name)) ?? 'a', action === 'suspends');
      else if (who !== undefined && action === 'gives') {
        const to = WHO.find((name) => name === last) ?? 'a';
        await kit.ask(people[who], 'POST', `/${host}/transfer`, { email: people[to].email });
        await kit.ask(people[to], 'POST', `/${host}/transfer/accept`);
      } else if (who !== undefined) await act[action]?.(who);
      await kit.publish();
      await link();
      await visit({}, 'memory or KV');
      now += MEMORY_MS + 1;
      clock.setSystemTime(now);
      await visit({}, 'KV');
      now += MINUTE_MS;
      clock.setSystemTime(now);
      await kit.runJob(now);
      await visit({ LINKS: silentKv(env.LINKS) }, 'D1');
      now += MINUTE_MS;
      clock.setSystemTime(now);
      if ((await holder()) !== null) await visit({ DB: UNTOUCHABLE_DB }, 'KV without D1');
      now += MINUTE_MS;
      clock.setSystemTime(now);
    },
    end: (): void => void vi.useRealTimers(),
  };
}

/** A store that has nothing and takes nothing. */
const silentKv = (kv: KVNamespace): KVNamespace =>
  withMethods(kv, { get: () => Promise.resolve(null), put: () => Promise.resolve() });
