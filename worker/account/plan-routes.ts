import { Hono } from 'hono';
import {
  downgradeRequest,
  upgradeRequest,
  type DowngradeResponse,
  type UpgradeResponse,
} from '#contract/plans/plans.ts';
import { changeAndNotify } from '#worker/auth/notices/change-and-notify.ts';
import { valueOrThrow } from '#worker/auth/service/errors.ts';
import { sendNotice } from '#worker/auth/notices/send-notice.ts';
import { composeMail } from '#worker/mail/compose.ts';
import { MAILS } from '#worker/mail/texts.ts';
import { requestContext, type ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { limitWrites } from '#worker/http/rate-limit.ts';
import { requireMember, readJson } from '#worker/http/validate.ts';
import { cancelDowngrade, downgrade, type DowngradeResult } from '#worker/plans/downgrade.ts';
import { findPrice, pricesOf } from '#worker/plans/price-setting.ts';
import { readSubscription, setPlan } from '#worker/plans/subscription.ts';
import { formatUtcDay } from '#contract/language.ts';

export const plansRoutes = new Hono<ApiEnv>();

plansRoutes.get('/subscription', async (c) =>
  c.json(await readSubscription(c.get('db'), requireMember(c).id, c.get('now'))),
);

// Upgrades are free only in a demo (BILLING=demo). No payment provider is built in
// (docs/decisions.md#d9).
plansRoutes.post('/subscription', async (c) => {
  const { id } = await limitWrites(c);
  const chosen = readJson(c, upgradeRequest);
  if (c.env.BILLING !== 'demo') throw apiError('payment_needed');
  const price = findPrice(pricesOf(c.env), chosen);
  if (price === null || price !== (chosen.price ?? price)) throw apiError('price_changed');
  return c.json({
    success: true,
    demo: true,
    subscription: await setPlan(c.get('db'), id, 'premium', c.get('now')),
  } satisfies UpgradeResponse);
});

// A downgrade needs no payment, so a member may also give up Premium from an administrator.
plansRoutes.post('/subscription/downgrade', async (c) => {
  const { id, email } = await limitWrites(c);
  const { when } = readJson(c, downgradeRequest);
  const told = await changeAndNotify(requestContext(c), {
    email,
    kind: 'plan',
    change: () => downgrade(c.get('db'), { userId: id, when, now: c.get('now') }),
    mailOf: (made) => {
      if (!made.ok || !made.changed) return null;
      const { downgrade_at: at } = made.subscription;
      const text = MAILS.plan(at === null ? null : formatUtcDay(at));
      return composeMail(email, text, `${c.get('origins').app}/settings/plan`);
    },
  });
  const result = valueOrThrow(told);
  const { subscription } = orThrow(result);
  return c.json({ success: true, subscription } satisfies DowngradeResponse);
});

plansRoutes.delete('/subscription/downgrade', async (c) => {
  const { id, email } = await limitWrites(c);
  const result = orThrow(await cancelDowngrade(c.get('db'), id, c.get('now')));
  // The last email about the plan announced the downgrade, so this one corrects it.
  if (result.changed)
    await sendNotice(
      requestContext(c),
      'plan',
      composeMail(email, MAILS.planKept, `${c.get('origins').app}/settings`),
    );
  const { subscription } = result;
  return c.json({ success: true, subscription } satisfies DowngradeResponse);
});

function orThrow(result: DowngradeResult): Extract<DowngradeResult, { ok: true }> {
  if (result.ok) return result;
  throw apiError(result.reason);
}
