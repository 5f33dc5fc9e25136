/** Every number the browser and the Worker must agree on. Durations in milliseconds unless the name says otherwise. */

export const TARGET_MAX = 2048;
export const ALIAS_MAX = 20;
export const CODE_LENGTH = 7;
/** The form of aliases and of generated codes. */
export const CODE_PATTERN = /^[A-Za-z0-9_-]{1,20}$/;

export const PASSWORD_MIN = 6;
/** In UTF-8 bytes, as the hosted service has it. */
export const PASSWORD_MAX_BYTES = 72;
export const EMAIL_MAX = 255;

export const BODY_MAX_BYTES = 16 * 1024;
/** Blog posts are longer than any other body. */
export const POST_BODY_MAX_BYTES = 256 * 1024;
export const POST_TITLE_MAX = 200;
export const POST_SLUG_MAX = 100;
export const POST_CONTENT_MAX = 100_000;
/** One list of posts: at most this many, and at most this many characters of content. */
export const POSTS_MAX = 200;
/** Drafts a member may keep at a time; administrators any number. */
export const DRAFTS_MAX = 100;
/** What those drafts may hold together, titles included, in UTF-8 bytes. */
export const DRAFT_BYTES_MAX = 1_000_000;
export const POSTS_CHARS_MAX = 1_000_000;

export const PAGE_SIZE = 50;
export const SEARCH_MAX = 100;

/** Links of one request of bulk processing (Premium). */
export const BULK_MAX = 100;

export const VISITOR_LINKS_PER_DAY = 50;
/** From one IPv6 /48, which may hold 65,536 networks. */
export const VISITOR_LINKS_PER_DAY_AND_SITE = 1000;

export const USAGE_WARN = 0.7;
export const USAGE_BAD = 0.9;
export const WORDS_PER_MINUTE = 200;
export const EXCERPT = 200;
export const ADMIN_EXCERPT = 120;
export const TOP_COUNTRIES = 10;
export const RECENT_CLICKS_MAX = 50;

export const COPIED_FOR = 2_000;
export const SUBSCRIPTION_REFETCH_AFTER = 1_000;
export const SCREEN_LOAD_TIMEOUT = 120_000;

/** Retention, in days unless the name says otherwise. The Privacy page prints these. */
export const KEEP_VISITOR_KEYS_HOURS = 48;
export const KEEP_WINDOW_IDS_DAYS = 15;
export const KEEP_RECENT_CLICKS_DAYS = 30;
export const KEEP_HOURS_DAYS = 14;
export const KEEP_FAULTS_DAYS = 30;
export const KEEP_DAYS_MONTHS = 13;
export const KEEP_IDLE_SESSIONS_DAYS = 90;
export const KEEP_UNCONFIRMED_DAYS = 30;

/** How long a disabled link may still redirect: an edge copy's life plus an isolate's memory, in seconds. */
export const KV_CACHE_SECONDS = 30;
export const LINK_MEMORY_SECONDS = 5;
export const DISABLE_BOUND_SECONDS = KV_CACHE_SECONDS + LINK_MEMORY_SECONDS;
