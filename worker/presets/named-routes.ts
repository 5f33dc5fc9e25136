import { Hono } from 'hono';
import type * as z from 'zod/mini';
import type { Db } from '#worker/db/client.ts';
import type { ErrorReason } from '#worker/messages/api-errors.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { limitWrites } from '#worker/http/rate-limit.ts';
import { idParam, readJson, requireMember } from '#worker/http/validate.ts';
import { removeItem, saveItem, type NamedItems, type SaveResult } from './named-items.ts';

type NamedRoutes<Input extends { name: string }> = {
  path: string;
  items: NamedItems;
  input: z.ZodMiniType<Input>;
  /** Returns the response to GET. */
  list: (db: Db, userId: string) => Promise<object>;
  toValues: (input: Input) => Record<string, string>;
  /** Returns the response to POST. */
  toItem: (id: number, input: Input) => object;
  errors: Record<'notFound' | Extract<SaveResult, { ok: false }>['reason'], ErrorReason>;
};

/** Returns the routes that list, save and delete a member's named items. */
export function namedRoutes<Input extends { name: string }>({
  path,
  items,
  input: schema,
  list,
  toValues,
  toItem,
  errors,
}: NamedRoutes<Input>): Hono<ApiEnv> {
  const routes = new Hono<ApiEnv>();
  routes.get(path, async (c) => c.json(await list(c.get('db'), requireMember(c).id)));
  routes.post(path, async (c) => {
    const input = readJson(c, schema);
    const { id: userId } = await limitWrites(c);
    const item = { name: input.name, values: toValues(input) };
    const saved = await saveItem(c.get('db'), items, userId, item, c.get('now'));
    if (!saved.ok) throw apiError(errors[saved.reason]);
    return c.json(toItem(saved.id, input), 201);
  });
  routes.delete(`${path}/:id`, async (c) => {
    const { id: userId } = await limitWrites(c);
    if (!(await removeItem(c.get('db'), items, userId, idParam(c))))
      throw apiError(errors.notFound);
    return c.json({ success: true });
  });
  return routes;
}
