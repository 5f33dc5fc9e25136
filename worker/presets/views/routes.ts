import { sql } from 'drizzle-orm';
import { VIEWS_MAX } from '#contract/limits.ts';
import { viewInput, type ViewFilters, type ViewsResponse } from '#contract/presets/views.ts';
import { link_views } from '#worker/db/schema-presets.ts';
import { ofMember } from '#worker/presets/named-items.ts';
import { namedRoutes } from '#worker/presets/named-routes.ts';

const items = { table: link_views, max: VIEWS_MAX, replaces: true };
const columns = {
  id: link_views.id,
  name: link_views.name,
  filters: sql<ViewFilters>`${link_views.filters}`.mapWith((json: string): ViewFilters =>
    JSON.parse(json),
  ),
};

export const viewsRoutes = namedRoutes({
  path: '/views',
  items,
  input: viewInput,
  list: async (db, userId): Promise<ViewsResponse> => {
    const { where, order } = ofMember(items, userId);
    return { views: await db.select(columns).from(link_views).where(where).orderBy(order).all() };
  },
  toValues: ({ filters }) => ({ filters: JSON.stringify(filters) }),
  toItem: (id, input) => ({ id, ...input }),
  errors: { notFound: 'unknown_view', taken: 'view_taken', full: 'too_many_views' },
});
