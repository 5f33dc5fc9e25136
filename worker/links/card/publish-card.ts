import type { LinkCard } from '#contract/links/link-card.ts';
import { publishLater } from '#worker/events/publish-later.ts';
import type { RequestContext } from '#worker/http/context.ts';
import { showCard } from '#worker/links/read/show-card.ts';
import { linkError } from '#worker/links/write/link-errors.ts';
import type { CardResult } from './change-card.ts';

/** Publishes a changed card after the response, and returns it. Throws if the change failed. */
export function publishCard(
  { env, origins, now, waitUntil }: RequestContext,
  result: CardResult,
): LinkCard | null {
  if (!result.ok) throw linkError(result, now);
  waitUntil(publishLater(env, [result.id], now));
  return showCard(result.card, origins);
}
