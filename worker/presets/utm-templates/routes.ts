import { getTableColumns } from 'drizzle-orm';
import { UTM_TEMPLATES_MAX } from '#contract/limits.ts';
import { utmTemplateInput, type UtmTemplatesResponse } from '#contract/presets/utm-templates.ts';
import { utm_templates } from '#worker/db/schema-presets.ts';
import { ofMember } from '#worker/presets/named-items.ts';
import { namedRoutes } from '#worker/presets/named-routes.ts';

const items = { table: utm_templates, max: UTM_TEMPLATES_MAX, replaces: true };
const { user_id: _user, created_at: _created, ...columns } = getTableColumns(utm_templates);

export const utmTemplatesRoutes = namedRoutes({
  path: '/utm-templates',
  items,
  input: utmTemplateInput,
  list: async (db, userId): Promise<UtmTemplatesResponse> => {
    const { where, order } = ofMember(items, userId);
    const rows = db.select(columns).from(utm_templates).where(where).orderBy(order);
    return { templates: await rows.all() };
  },
  toValues: ({ name: _name, ...values }) => values,
  toItem: (id, input) => ({ id, ...input }),
  errors: { notFound: 'unknown_template', taken: 'template_taken', full: 'too_many_templates' },
});
