import type { Page } from '@playwright/test';
import type { PAGES } from '#contract/pages/paths.ts';
import { query } from './database.ts';

/** Returns a real path for each page, with the first post and a link that the demo member owns. */
export function pathOf(page: (typeof PAGES)[number]): string {
  const [post] = query('SELECT slug FROM posts WHERE published = 1 ORDER BY id LIMIT 1');
  const [link] = query(
    "SELECT code FROM links JOIN users ON users.id = links.user_id WHERE users.email = 'user@example.com' AND status = 'active' ORDER BY links.id LIMIT 1",
  );
  return page.replace(':slug', String(post?.['slug'])).replace(':code', String(link?.['code']));
}

/** What an app that has registered sends to the page on which members connect it. */
export async function appRequest({ request }: Page): Promise<string> {
  const redirect_uri = 'https://assistant.example/callback';
  const data = { client_name: 'Assistant', redirect_uris: [redirect_uri] };
  const registered = await request.post('/api/oauth/register', { data });
  const client_id = String(Object(await registered.json()).client_id);
  const given = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    state: 'walk',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  });
  return `?${given.toString()}`;
}

export const MEMBER_PAGES: readonly (typeof PAGES)[number][] = [
  '/dashboard',
  '/links/import',
  '/analytics',
  '/analytics/:code',
  '/qr/:code',
  '/admin/blogs',
  '/settings',
  '/settings/sessions',
  '/settings/plan',
  '/settings/api',
  '/settings/domains',
  '/settings/webhooks',
  '/settings/data',
  '/oauth/authorize',
];
