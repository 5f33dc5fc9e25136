import { StrictMode, type ReactNode } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import type { Post } from '#contract/blog/blog.ts';
import {
  CODE_STAND_IN,
  hasPosts,
  isMemberPage,
  POST_STAND_INS,
  type PrerenderedPage,
} from '#contract/pages/page-templates.ts';
import { publicPostsQuery, postQuery } from '#web/features/blog/queries.ts';
import { markBlocks } from '#web/shared/page/block.tsx';
import { formatDate } from '#web/shared/texts/format.ts';
import { prerenderFor } from '#web/shared/session/session.ts';
import { AppContent } from './app.tsx';
import { modulesOf, screenOf } from './pages.ts';
import { queries } from './query-client.tsx';
import { loadScreen } from './screen-loading.ts';

export { modulesOf };

const LOAD_TIMEOUT_MS = 10_000;
const ATTEMPTS_MAX = 20;
/** React writes this in place of a part that has not loaded. */
const UNFINISHED = '<!--$!-->';
const TIME = '2001-02-03T12:00:00.000Z';
const POST: Post = {
  id: 1,
  title: POST_STAND_INS.title,
  content: POST_STAND_INS.text,
  slug: POST_STAND_INS.slug,
  excerpt: '',
  author: POST_STAND_INS.author,
  tags: [POST_STAND_INS.tag],
  published: true,
  created_at: TIME,
  updated_at: TIME,
  published_at: TIME,
};

/**
 * Renders the HTML of a page in Node during the build: as a visitor sees it, or as a member sees it
 * while their data loads. Values that the build does not know become placeholders
 * (page-templates.ts).
 */
export async function prerenderPage(page: PrerenderedPage): Promise<string> {
  await loadScreen(screenOf(page).load, LOAD_TIMEOUT_MS);
  queries.setQueryData(postQuery(POST.slug).queryKey, { ...POST, previous: null, next: null });
  queries.setQueryData(publicPostsQuery('').queryKey, {
    pages: [{ body: [POST], next: null }],
    pageParams: [''],
  });
  prerenderFor(
    isMemberPage(page)
      ? { status: 'member', id: '', email: '', needsPassword: false }
      : { status: 'visitor' },
  );
  const app = (
    <StrictMode>
      <StaticRouter location={page.replace(':slug', POST.slug).replace(':code', CODE_STAND_IN)}>
        <AppContent />
      </StaticRouter>
    </StrictMode>
  );
  if (!isMemberPage(page) && !hasPosts(page)) return markBlocks(await renderWhole(app));
  return markBlocks(renderToStaticMarkup(app))
    .replaceAll(TIME, POST_STAND_INS.time)
    .replaceAll(formatDate(TIME), POST_STAND_INS.date)
    .replaceAll('1 min read', `${POST_STAND_INS.minutes} min read`);
}

/** Renders until all parts that load on demand have loaded. */
async function renderWhole(app: ReactNode): Promise<string> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const html = renderToString(app);
    if (!html.includes(UNFINISHED)) return html;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('A part of the page did not load.');
}
