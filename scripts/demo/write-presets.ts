import { and, eq } from 'drizzle-orm';
import { authSecret } from '#worker/auth/service/settings.ts';
import type { Db } from '#worker/db/client.ts';
import { NO_DOMAINS } from '#worker/db/domain-names.ts';
import { webhook_deliveries, webhook_endpoints } from '#worker/db/schema-api.ts';
import { link_views, qr_presets, utm_templates } from '#worker/db/schema-presets.ts';
import { shareReport } from '#worker/links/share/manage-shared.ts';
import { ownDomains } from '#worker/safety/own-domain.ts';
import type { TargetPolicy } from '#worker/safety/target.ts';
import { listTags } from '#worker/tags/tags.ts';
import { createEndpoint } from '#worker/webhooks/manage-endpoints.ts';
import {
  DEMO_QR_DESIGNS,
  DEMO_REPORT,
  DEMO_TEMPLATES,
  DEMO_VIEWS,
  DEMO_WEBHOOK,
} from './presets.ts';

/** Writes the saved views, UTM templates and QR designs of accounts. */
export async function writePresets(db: Db, userIds: readonly string[], now: number): Promise<void> {
  const ofEach = <Item>(items: readonly Item[]) =>
    userIds.flatMap((user_id) =>
      items.map((item) => Object.assign({ user_id, created_at: now }, item)),
    );
  const views = DEMO_VIEWS.map(({ name, filters }) => ({ name, filters: JSON.stringify(filters) }));
  await db.batch([
    db.insert(link_views).values(ofEach(views)),
    db.insert(utm_templates).values(ofEach(DEMO_TEMPLATES)),
    db.insert(qr_presets).values(ofEach(DEMO_QR_DESIGNS)),
  ]);
}

/** Shares the report of a tag. */
export async function writeReport(
  db: Db,
  userId: string,
  appOrigin: string,
  now: number,
): Promise<void> {
  const tags = await listTags(db, userId);
  const tag = tags.find(({ name }) => name === DEMO_REPORT.tag);
  const input = { ...DEMO_REPORT.input, tagId: tag?.id };
  const shared = await shareReport(db, { userId, appOrigin, hashers: null, now }, input);
  if (!shared.ok) throw new Error(`The demo report could not be shared: ${shared.reason}.`);
}

/** Adds the webhook. Links that are created after it cause events. */
export async function writeWebhook(
  env: Env,
  db: Db,
  userId: string,
  { origin, policy, now }: { origin: string; policy: TargetPolicy; now: number },
): Promise<void> {
  const context = {
    db,
    authSecret: authSecret(env),
    policy,
    own: ownDomains(env, { app: origin, short: origin, domains: NO_DOMAINS }),
    reputation: null,
    allowsLoopback: false,
    keyName: null,
    now,
  };
  const created = await createEndpoint(context, userId, DEMO_WEBHOOK);
  if (!created.ok) throw new Error(`The demo webhook could not be created: ${created.reason}.`);
}

/** How long each answer took, in ms. */
const DURATIONS_MS = [84, 112, 67, 143];

/** Records that the webhook has accepted its events so far, and that one needed a second attempt. */
export async function acceptEvents(db: Db, userId: string): Promise<void> {
  const pending = await db
    .select({ id: webhook_deliveries.id, created_at: webhook_deliveries.created_at })
    .from(webhook_deliveries)
    .innerJoin(webhook_endpoints, eq(webhook_endpoints.id, webhook_deliveries.endpoint_id))
    .where(and(eq(webhook_endpoints.user_id, userId), eq(webhook_deliveries.status, 'pending')))
    .all();
  for (const [index, { id }] of pending.entries())
    await db
      .update(webhook_deliveries)
      .set({
        status: 'delivered',
        attempts: index === 0 ? 2 : 1,
        due_at: null,
        queued_until: null,
        response_status: 200,
        response_text: 'ok',
        duration_ms: DURATIONS_MS[index % DURATIONS_MS.length] ?? 0,
      })
      .where(eq(webhook_deliveries.id, id));
  const [first] = pending;
  if (first !== undefined)
    await db
      .update(webhook_endpoints)
      .set({ answered_at: first.created_at })
      .where(eq(webhook_endpoints.user_id, userId));
}
