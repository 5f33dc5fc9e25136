import { env } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { link_outbox, links } from '#worker/db/schema-links.ts';
import { decodeEdgeRecord } from '#worker/redirect/edge-record.ts';
import { call } from '#worker/testing/call.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { checkProperty, PROPERTY_TIMEOUT } from '#worker/testing/soak.ts';

const db = openDb(env.DB);
/** The actions of an administrator, the blocklist and the owner on a link, in any order. */
const STEPS = [
  'link+',
  'link-',
  'host+',
  'host-',
  'parent+',
  'parent-',
  'user+',
  'user-',
  'list+',
  'list-',
  'owner+',
  'owner-',
] as const;
type Step = (typeof STEPS)[number];
const anySteps = fc.array(fc.constantFrom(...STEPS), { minLength: 4, maxLength: 14 });
/**
 * Long sequences of the owner and one other action, because only these show what a hold leaves
 * behind.
 */
const fewSteps = fc.array(fc.constantFrom<Step>('owner+', 'owner-', 'link+', 'link-'), {
  minLength: 8,
  maxLength: 16,
});

let runs = 0;
async function makeWorld() {
  runs += 1;
  const [admin, owner] = [await makePerson({ role: 'admin' }), await makePerson()];
  const host = `www.w${runs}.example.com`;
  const created = await call('/api/shorten', {
    json: { longUrl: `https://${host}/` },
    headers: owner.headers,
  });
  expect(created.status).toBe(201);
  return {
    admin,
    owner,
    host,
    parent: `w${runs}.example.com`,
    code: (await created.json<{ code: string }>()).code,
  };
}
type World = Awaited<ReturnType<typeof makeWorld>>;

function perform(world: World, step: Step): Promise<Response> {
  const on = step.endsWith('+');
  const ask = (who: Person, path: string, method: string, json?: unknown) =>
    call(path, { method, headers: who.headers, ...(json === undefined ? {} : { json }) });
  const moderate = (scope: unknown) =>
    ask(world.admin, '/api/admin/moderation', 'POST', {
      action: on ? 'disable' : 'enable',
      scope,
      reason: 'Model.',
    });
  switch (step.slice(0, -1)) {
    case 'link':
      return moderate({ kind: 'link', code: world.code });
    case 'host':
      return moderate({ kind: 'host', host: world.host });
    case 'parent':
      return moderate({ kind: 'host', host: world.parent });
    case 'user':
      return moderate({ kind: 'user', userId: world.owner.id });
    case 'list':
      return on
        ? ask(world.admin, '/api/admin/blocklist', 'POST', { hosts: world.parent })
        : ask(world.admin, `/api/admin/blocklist/${world.parent}`, 'DELETE');
    default:
      return ask(world.owner, `/api/links/${world.code}`, 'PATCH', { enabled: !on });
  }
}

describe('holds', () => {
  it(
    'a link is active exactly while it has no hold, in D1 and in KV',
    { timeout: PROPERTY_TIMEOUT },
    async () => {
      await checkProperty(
        'holds',
        fc.asyncProperty(fc.oneof(anySteps, fewSteps), async (steps) => {
          const world = await makeWorld();
          const holds = new Set<string>();
          let ownerOff = false;
          for (const step of steps) {
            const [what, on] = [step.slice(0, -1), step.endsWith('+')];
            const response = await perform(world, step);
            if (what === 'owner') {
              // The owner cannot enable the link while the service holds it.
              expect(response.status).toBe(holds.size > 0 ? 403 : 200);
              if (holds.size === 0) ownerOff = on;
            } else if (on) holds.add(what);
            else holds.delete(what);
            const row = await db.select().from(links).where(eq(links.code, world.code)).get();
            const works = holds.size === 0 && !ownerOff;
            expect({ steps, step, status: row?.status }).toEqual({
              steps,
              step,
              status: works ? 'active' : 'disabled',
            });
            expect(row?.disabled_by).toBe(expectedHolder(holds, ownerOff));
            expect(decodeEdgeRecord((await env.LINKS.get(world.code)) ?? '')).toMatchObject({
              s: works ? 'a' : 'd',
              v: row?.version,
            });
          }
        }),
        4,
        { seed: 20261121, examples: [[['owner+', 'link+', 'link-', 'owner-', 'link+', 'link-']]] },
      );
    },
  );

  function expectedHolder(holds: Set<string>, ownerOff: boolean): string | null {
    if (['link', 'host', 'parent', 'user'].some((kind) => holds.has(kind))) return 'admin';
    if (holds.has('list')) return 'blocklist';
    return ownerOff ? 'owner' : null;
  }

  it('an action survives a failure of KV, and a failure of D1 changes nothing', async () => {
    const world = await makeWorld();
    const json = { action: 'disable', scope: { kind: 'link', code: world.code }, reason: 'Fault.' };
    const headers = world.admin.headers;
    const log = () =>
      env.DB.prepare(`select count(*) as n from admin_log where reason = 'Fault.'`).first('n');
    await env.DB.prepare(
      `create trigger broken before update on links begin select raise(abort, 'D1_ERROR: broken'); end`,
    ).run();
    expect((await call('/api/admin/moderation', { json, headers })).status).toBeGreaterThanOrEqual(
      500,
    );
    await env.DB.prepare('drop trigger broken').run();
    expect(await log()).toBe(0);
    expect(
      await env.DB.prepare(
        'select count(*) as n from link_holds l join links on links.id = l.link_id where code = ?',
      )
        .bind(world.code)
        .first('n'),
    ).toBe(0);

    const failing = withMethods(env.LINKS, {
      put: () => Promise.reject(new Error('KV PUT failed: 500')),
    });
    expect(
      (await call('/api/admin/moderation', { json, headers }, { LINKS: failing })).status,
    ).toBe(200);
    expect(await log()).toBe(1);
    const row = await db.select().from(links).where(eq(links.code, world.code)).get();
    expect(row?.status).toBe('disabled');
    expect(
      await db
        .select()
        .from(link_outbox)
        .where(eq(link_outbox.link_id, row?.id ?? 0))
        .get(),
    ).toMatchObject({ version: row?.version });
  });
});
