import { CLICK_STORAGE } from '#contract/reports/click-storage.ts';
import { KEEP_RECENT_CLICKS_DAYS, KEEP_VISITOR_KEYS_HOURS } from '#contract/limits.ts';
import { DISABLE_PROMISE, SITE_NAME } from '#contract/site.ts';
import posts from './posts.json' with { type: 'json' };

/** What the posts name as `{recentClicksDays}`. */
const FACTS: Readonly<Record<string, string | number>> = {
  clickStorage: CLICK_STORAGE,
  disablePromise: DISABLE_PROMISE,
  recentClicksDays: KEEP_RECENT_CLICKS_DAYS,
  siteName: SITE_NAME,
  visitorKeysHours: KEEP_VISITOR_KEYS_HOURS,
};

export const DEMO_POSTS = posts.map(({ paragraphs, ...post }) => {
  const text = paragraphs.join('\n\n');
  const content = text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(FACTS[name]));
  return Object.assign(post, { content });
});
