import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import { links } from '#worker/db/schema-links.ts';
import { users } from '#worker/db/schema-users.ts';
import { changePlan } from '#worker/admin/user-actions.ts';
import { createAccount } from '#worker/auth/accounts/create-account.ts';
import { createPost } from '#worker/blog/posts.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { cryptoRandom } from '#worker/edge/codes.ts';
import { parseLinkDraft } from '#worker/links/write/link-draft.ts';
import { publishLinks } from '#worker/edge/publish.ts';
import { shorten } from '#worker/links/write/shorten.ts';
import { shortenerHosts } from '#worker/safety/shorteners.ts';
import type { TargetPolicy } from '#worker/safety/target.ts';
import { addMonths } from '#worker/plans/cycle.ts';
import { insertFreeSubscription } from '#worker/plans/quota.ts';
import type { ClickEvent, ClickWindow } from '#worker/redirect/click-event.ts';
import { clicksOn } from './clicks.ts';
import { DEMO_LINKS, type DemoLink } from './links.ts';
import { WEBHOOK_DAYS_AGO } from './presets.ts';
import { acceptEvents, writePresets, writeReport, writeWebhook } from './write-presets.ts';
import { DEMO_POSTS } from './posts.ts';
import { seededRandom } from './random.ts';
import { DEMO_SIGN_INS } from './sign-ins.ts';
import { whileUnfinished } from './unfinished.ts';

const WINDOW_CLICKS = 500;
/** The member's current cycle began this long ago. The 8 links of 25 were created since. */
const CYCLE_BEGAN_AGO = 9 * DAY_MS;
/** How many whole cycles the accounts had before the current one. */
const MEMBER_MONTHS = 13;
/** What links with campaigns forward, in the stored form. */
const UTM_PARAMETERS = 'utm_source,utm_medium,utm_campaign';

/**
 * Writes the demo data into an empty local database through the product's own use cases, and
 * returns whether the demo accounts exist. Does nothing with a hosted sign-in service, where nobody
 * could use the accounts.
 */
export async function seedDemo(env: Env, state: string, origin: string): Promise<boolean> {
  if (env.SUPABASE_URL !== '') return false;
  const db = openDb(env.DB);
  const known = await db.select({ email: users.email }).from(users).limit(10);
  const [link] = await db.select({ id: links.id }).from(links).limit(1);
  if (known.length > 0 || link !== undefined)
    return DEMO_SIGN_INS.every((demo) => known.some(({ email }) => email === demo.email));
  const began = Date.now();
  const clicks = await whileUnfinished(state, () => writeDemo(env, db, origin, began));
  const seconds = Math.round((Date.now() - began) / 100) / 10;
  console.log(`Wrote the demo data: ${DEMO_LINKS.length} links, ${clicks} clicks (${seconds} s).`);
  return true;
}

async function writeDemo(env: Env, db: Db, origin: string, now: number): Promise<number> {
  const owners = await makeAccounts(db, addMonths(now - CYCLE_BEGAN_AGO, -MEMBER_MONTHS));
  const policy = {
    ownHosts: [new URL(origin).hostname],
    shorteners: shortenerHosts(env.BLOCKED_SHORTENERS),
  };
  const random = seededRandom(2026);
  const planned = DEMO_LINKS.map((link) => planLink(link, now, random));
  // In the order of their time, because lists take the highest id for the newest link.
  const inOrder = planned.toSorted((a, b) => a.madeAt - b.madeAt);
  const make = async (isDue: (plan: Plan) => boolean): Promise<void> => {
    for (const plan of inOrder.filter(isDue))
      plan.id = await makeLink(db, plan, owners[plan.link.owner], policy);
  };
  const webhookAt = now - WEBHOOK_DAYS_AGO * DAY_MS;
  await make(({ madeAt }) => madeAt < webhookAt);
  await writeWebhook(env, db, owners.admin, { origin, policy, now: webhookAt });
  await make(({ madeAt }) => madeAt >= webhookAt);
  await acceptEvents(db, owners.admin);

  const clicks = planned.flatMap(({ link, id, madeAt, end }) =>
    clicksOn(link, id, madeAt, now, random).filter(({ t }) => t < (end ?? now)),
  );
  await foldWindows(env.DB, inWindows(clicks), now);
  await publishLinks(
    env,
    planned.map(({ id }) => id),
    now,
  );
  await writePresets(db, Object.values(owners), now);
  await writeReport(db, owners.admin, origin, now);
  for (const { daysAgo, ...post } of DEMO_POSTS) {
    const written = await createPost(
      db,
      { id: owners.admin, admin: true },
      post,
      now - daysAgo * DAY_MS,
    );
    if (!written.ok) throw new Error(`The demo post ${post.slug} was refused: ${written.reason}.`);
  }
  return clicks.length;
}

/** A link with its times. `id` is 0 until it is made. */
type Plan = { link: DemoLink; madeAt: number; end: number | null; id: number };

/** Links of today are made at their time, others up to five hours before it. */
function planLink(link: DemoLink, now: number, random: () => number): Plan {
  const earlier = link.daysAgo < 1 ? 0 : random() * 5 * 60 * MINUTE_MS;
  return {
    link,
    madeAt: Math.floor(now - link.daysAgo * DAY_MS - earlier),
    end: link.endsDaysAgo === undefined ? null : now - link.endsDaysAgo * DAY_MS,
    id: 0,
  };
}

async function makeAccounts(db: Db, now: number): Promise<Record<DemoLink['owner'], string>> {
  const ids = { admin: '', user: '' };
  for (const { owner, email, password } of DEMO_SIGN_INS) {
    const id = await createAccount(db, { email, password, confirmed: true, now });
    if (id === null) throw new Error(`${email} has an account already.`);
    const role = owner === 'admin' ? 'admin' : 'user';
    await db.insert(users).values({ id, email, role, created_at: now, last_seen_at: now });
    // The cycle starts with the account, not with its first link.
    await db.run(insertFreeSubscription(id, now));
    ids[owner] = id;
  }
  const upgraded = await changePlan(db, ids.admin, ids.admin, 'premium', now);
  if (!upgraded.ok) throw new Error(`The demo upgrade was refused: ${upgraded.reason}.`);
  return ids;
}

async function makeLink(
  db: Db,
  { link, madeAt, end: expiresAt }: Plan,
  userId: string,
  policy: TargetPolicy,
): Promise<number> {
  const { target, alias: code, title = '', note = '', tags = [], favorite = false } = link;
  const forwardParams = link.campaigns === undefined ? '' : UTM_PARAMETERS;
  const input = { target, code, title, note, tags, favorite, expiresAt, forwardParams };
  const parsed = parseLinkDraft(input, { isMember: true, policy, now: madeAt });
  if (!parsed.ok) throw new Error(`The demo link to ${link.target} is invalid: ${parsed.reason}`);
  const options = { creator: { userId }, reputation: null, now: madeAt, random: cryptoRandom };
  const result = await shorten(db, parsed.draft, options);
  if (!result.ok)
    throw new Error(`The demo link to ${link.target} could not be created: ${result.reason}`);
  return result.id;
}

/** Splits clicks into windows in the order of their time. */
function inWindows(clicks: readonly ClickEvent[]): ClickWindow[] {
  const sorted = clicks.toSorted((a, b) => a.t - b.t);
  const windows: ClickWindow[] = [];
  for (let at = 0; at < sorted.length; at += WINDOW_CLICKS)
    windows.push({ v: 1, id: `demo-${at}`, e: sorted.slice(at, at + WINDOW_CLICKS) });
  return windows;
}
