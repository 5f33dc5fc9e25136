import { Hono } from 'hono';
import type { ApiEnv } from '#worker/http/context.ts';
import { rateLimitNetwork } from '#worker/http/rate-limit.ts';
import { previewClick } from './preview-click.ts';

export const clickPreviewRoutes = new Hono<ApiEnv>();

clickPreviewRoutes.get('/click-preview', async (c) => {
  await rateLimitNetwork(c.env, c.env.LIMIT_READS, 'click-preview', c.req.raw);
  return c.json(previewClick(c.req.raw, c.get('now')));
});
