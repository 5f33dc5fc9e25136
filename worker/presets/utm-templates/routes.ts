import { Hono } from 'hono';
import { UTM_TEMPLATES_MAX } from '#contract/limits.ts';
import { utmTemplateInput, type UtmTemplatesResponse } from '#contract/utm-templates.ts';
import { idFromCursor } from '#worker/db/paginate.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { ApiError } from '#worker/http/errors.ts';
import { rateLimit } from '#worker/http/rate-limit.ts';
import { readJson, requireMember } from '#worker/http/validate.ts';
import { deleteTemplate, readTemplates, writeTemplate } from './store.ts';

export const campaignsRoutes = new Hono<ApiEnv>();

campaignsRoutes.get('/utm-templates', async (c) => {
  const response: UtmTemplatesResponse = {
    templates: await readTemplates(c.get('db'), requireMember(c).id),
  };
  return c.json(response);
});

campaignsRoutes.post('/utm-templates', async (c) => {
  const { id } = requireMember(c);
  const input = readJson(c, utmTemplateInput);
  await rateLimit(c.env.LIMIT_WRITES, id);
  const template = await writeTemplate(c.get('db'), id, input, c.get('now'));
  if (template === null) {
    const message = `You have ${UTM_TEMPLATES_MAX} templates, as many as an account can have. Delete one first.`;
    throw new ApiError('conflict', message, { field: 'name' });
  }
  return c.json(template, 201);
});

campaignsRoutes.delete('/utm-templates/:id', async (c) => {
  const { id } = requireMember(c);
  await rateLimit(c.env.LIMIT_WRITES, id);
  const isDeleted = await deleteTemplate(c.get('db'), id, idFromCursor(c.req.param('id')) ?? 0);
  if (!isDeleted)
    throw new ApiError('not_found', "We couldn't find that template in your account.");
  return c.json({ success: true });
});
