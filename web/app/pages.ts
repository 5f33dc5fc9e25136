import { PAGES } from '#contract/paths.ts';
import type { LoadScreen } from './screen-loading.ts';

type PagePath = (typeof PAGES)[number];
type Page = {
  load: LoadScreen;
  /** `member`: visitors go to /auth and come back. `visitor`: members go on to /dashboard. */
  guard?: 'member' | 'visitor';
  /** The screen does without the query cache, which then does not load with it. */
  bare?: true;
};

/** Each page of the contract, loaded on demand. One line a page. */
const PAGE_SCREENS: Partial<Record<PagePath, Page>> = {
  '/': { load: () => import('./home-page.tsx').then((m) => m.HomePage), bare: true },
};

/** Loads the query cache beside the screen and puts the screen into it. */
function withQueries(load: LoadScreen): LoadScreen {
  return async () => {
    const [{ withQueryClient }, screen] = await Promise.all([import('./queries.tsx'), load()]);
    return withQueryClient(screen);
  };
}

/** What the router shows: pattern, screen, who may see it. */
export const SCREENS = Object.entries(PAGE_SCREENS).map(([path, page]) => ({
  path,
  guard: page.guard,
  load: page.bare === true ? page.load : withQueries(page.load),
}));

/** What to load for a link to `pathname`, if it is a page without parameters. */
export const screenAt = (pathname: string): LoadScreen | undefined => SCREENS.find((screen) => screen.path === pathname)?.load;
