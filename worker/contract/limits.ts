/** Numbers that the browser and the Worker share. A number that only one of them uses belongs to the file that uses it. */

export const ALIAS_MAX = 20;
/** The form of aliases and of generated codes. */
export const CODE_PATTERN = /^[A-Za-z0-9_-]{1,20}$/;

export const PASSWORD_MIN = 6;
/** In UTF-8 bytes: the hosted sign-in service has the same limit. */
export const PASSWORD_MAX_BYTES = 72;
export const EMAIL_MAX = 255;

/** In characters. */
export const POST_TITLE_MAX = 200;
export const POST_SLUG_MAX = 100;
export const POST_CONTENT_MAX = 100_000;
/** Characters of a post in the list of posts and in the feeds. */
export const EXCERPT_MAX = 200;

/** Rows of one page of a list. */
export const PAGE_SIZE = 50;
/** In characters. */
export const SEARCH_MAX = 100;
/** Links of one bulk request (Premium). */
export const BULK_MAX = 100;
/** Keys of the public API that a member may have. */
export const API_KEYS_MAX = 20;
/** Links that a browser remembers for its visitor, and that one request can put into an account. */
export const BROWSER_LINKS_MAX = 20;

/** Links that a visitor may make a day from one network: an IPv4 address or an IPv6 /64. */
export const VISITOR_LINKS_PER_DAY = 50;

export const RECENT_CLICKS_MAX = 50;

/** How long data is kept. The Privacy page prints these numbers. */
export const KEEP_VISITOR_KEYS_HOURS = 48;
export const KEEP_WINDOW_IDS_DAYS = 15;
export const KEEP_RECENT_CLICKS_DAYS = 30;
export const KEEP_HOURS_DAYS = 14;
/** The chart of a link that is younger than this shows hours. */
export const CHART_HOURS_DAYS = 2;
export const KEEP_DAYS_MONTHS = 13;
export const KEEP_IDLE_SESSIONS_DAYS = 90;
export const KEEP_UNCONFIRMED_DAYS = 30;
/** How long the answer to a repeatable request of the public API is kept. */
export const KEEP_REPEATABLE_REQUESTS_HOURS = 24;
/** How long a link that was created without an account can be put into one. */
export const KEEP_LINK_CLAIMS_DAYS = 30;

/**
 * How long a disabled link may still redirect once KV serves its new edge record: the lifetime of a record in KV's cache, plus an
 * isolate's memory. KV names no limit for the time before that, so no text may promise these seconds: see DISABLE_PROMISE.
 */
export const KV_CACHE_SECONDS = 30;
export const LINK_MEMORY_SECONDS = 5;
export const DISABLE_BOUND_SECONDS = KV_CACHE_SECONDS + LINK_MEMORY_SECONDS;

/**
 * Messages that the queue's consumer takes at once on the platform's free plan, which allows an invocation 50 D1 queries: counting
 * a message by itself takes five.
 */
export const FREE_PLAN_BATCH = 8;
