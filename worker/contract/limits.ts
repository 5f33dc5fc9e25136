/**
 * Numbers that the browser and the Worker share. A number that only one of them uses belongs to the
 * file that uses it.
 */

export const ALIAS_MAX = 20;
/** Earlier codes of a link, which keep redirecting after it was renamed. */
export const EARLIER_CODES_MAX = 5;
/** The form of aliases and of generated codes. */
export const CODE_PATTERN = /^[A-Za-z0-9_-]{1,20}$/;
/** Characters of a code that was imported from another service. */
export const IMPORTED_CODE_MAX = 190;

/** The least that PASSWORD_MIN_LENGTH may ask of a new password, and the most. */
export const PASSWORD_MIN = 6;
export const PASSWORD_LONGEST_MIN = 64;
/** In UTF-8 bytes. The hosted sign-in service has the same limit. */
export const PASSWORD_MAX_BYTES = 72;
export const EMAIL_MAX = 255;

export const POST_TITLE_MAX = 200;
export const POST_SLUG_MAX = 100;
export const POST_CONTENT_MAX = 100_000;
/** How many drafts a member can have. Administrators have no limit. */
export const DRAFTS_MAX = 100;
/** The total size of a member's drafts, titles included, in UTF-8 bytes. */
export const DRAFT_BYTES_MAX = 1_000_000;
/** Characters of a post in the list of posts and in the feed, chosen by its writer or not. */
export const EXCERPT_MAX = 200;
export const POST_AUTHOR_MAX = 80;
export const POST_TAG_MAX = 30;
export const TAGS_PER_POST_MAX = 5;

export const PAGE_SIZE = 50;
export const SEARCH_MAX = 100;
export const BULK_MAX = 100;
/** Links of one request of the public API. */
export const V1_BULK_MAX = 1000;
/** Rows of a file that one request checks, and that one request imports. */
export const IMPORT_CHECK_MAX = 500;
export const IMPORT_MAX = 100;
/** Earlier states of an imported link. */
export const IMPORTED_HISTORY_MAX = 150;
/** Rows of one imported file. */
export const IMPORT_FILE_MAX = 10_000;
/** Links that one action changes, such as adding a tag to the selected links. */
export const ACTION_MAX = 100;
/** Links that a filter selects at once, for actions on all that match. */
export const MATCHING_MAX = 10_000;
/** How often a link can be changed within a minute. KV accepts one write per key and second. */
export const CHANGES_PER_MINUTE = 30;
export const LINK_CHANGES_MAX = 50;
/**
 * Further changes of the destination that the history keeps: of the first ones and of the last
 * ones.
 */
export const TARGET_CHANGES_KEPT = 50;
export const KEEP_TRASH_DAYS = 30;
/** In characters. */
export const LINK_PASSWORD_MAX = 100;
/** Different passwords in one request: each takes a hash, and hashes run in turn. */
export const PASSWORDS_PER_REQUEST = 5;
/** Rules of a link, values of one condition, and characters of all rules as JSON. */
export const RULES_MAX = 20;
export const CLICK_LIMIT_MAX = 1_000_000;
export const CONDITION_VALUES_MAX = 60;
export const RULES_CHARS_MAX = 8_000;
/** Destinations of a link besides its own, between which it divides its visitors. */
export const VARIANTS_MAX = 4;
export const LINK_TITLE_MAX = 120;
export const LINK_NOTE_MAX = 2000;
export const TAG_NAME_MAX = 40;
export const TAGS_MAX = 100;
/** Views of an account, and characters of their names. */
export const VIEWS_MAX = 20;
export const VIEW_NAME_MAX = 50;
export const TAGS_PER_LINK_MAX = 10;
/** Characters of a preview card, and the size of its picture in bytes and pixels. */
export const CARD_TITLE_MAX = 120;
export const CARD_DESCRIPTION_MAX = 280;
export const CARD_PICTURE_MAX_BYTES = 300 * 1024;
export const CARD_WIDTH = 1200;
export const CARD_HEIGHT = 630;
export const QR_PRESETS_MAX = 20;
export const QR_PRESET_NAME_MAX = 40;
export const QR_LOGO_MAX_BYTES = 32 * 1024;
/** In modules of the QR code. */
export const QR_MARGIN_MAX = 10;
/** Names of query parameters that a link passes on to its target, if it lists them. */
export const FORWARDED_NAMES_MAX = 10;
/** The most parameters that one redirect forwards, and their characters as sent. */
export const FORWARDED_PARAMS_MAX = 20;
export const FORWARDED_CHARS_MAX = 2000;
/** The query parameter with which a QR code marks its scans: `?qr=1`. */
export const QR_PARAM = 'qr';
export const UTM_TEMPLATES_MAX = 20;
export const UTM_TEMPLATE_NAME_MAX = 60;
export const UTM_VALUE_MAX = 200;
/** Up to this number of links in an account, orders and filters use the current clicks. */
export const LIVE_ORDER_MAX_LINKS = 2000;
/**
 * How often the orders and filters by clicks and last click are updated in accounts with more
 * links.
 */
export const RANK_EVERY_HOURS = 1;
/**
 * In accounts with more links, the totals above the list are updated this often instead of at each
 * request.
 */
export const LIVE_TOTALS_MAX_LINKS = 1000;
/** How many links the totals of a filtered list look at. */
export const FILTERED_TOTALS_MAX = 10_000;
/**
 * How long places, devices, sources and top links are kept by day for an account, which is the
 * longest range.
 */
export const KEEP_ACCOUNT_DETAILS_DAYS = 90;
/** How long the report on all links is kept up to date after it was last read. */
export const KEEP_REPORT_CURRENT_DAYS = 60;
export const API_KEYS_MAX = 20;
/** The prefix of a key's codes leaves room for the seven characters of a generated code. */
export const CODE_PREFIX_MAX = 13;
/** Hours for which the previous secret of a rotated key keeps working by default. */
export const ROTATION_HOURS = 24;
/**
 * Shared reports of an account: as many as API keys, and few enough to be looked through in a
 * dialog.
 */
export const SHARED_REPORTS_MAX = 20;
export const SHARED_TITLE_MAX = 120;
/** The most links that a browser remembers for its visitor, and that one request can claim. */
export const BROWSER_LINKS_MAX = 20;

/**
 * The most links that visitors can create a day from one network: an IPv4 address or an IPv6 /64.
 */
export const VISITOR_LINKS_PER_DAY = 50;

export const RECENT_CLICKS_MAX = 50;
/**
 * Up to this number, visitors of a link and day are counted exactly. Beyond it they are estimated
 * with a standard error of 1.6 %.
 */
export const EXACT_VISITORS = 4_000;

/** How long data is kept. The Privacy page prints these numbers. */
export const KEEP_VISITOR_KEYS_HOURS = 48;
export const KEEP_WINDOW_IDS_DAYS = 15;
/**
 * A window is set aside up to 5 days after its clicks. Both times together are less than
 * KEEP_WINDOW_IDS_DAYS, so a window never counts twice.
 */
export const KEEP_SET_ASIDE_DAYS = 7;
/** The most windows that are set aside. Further ones stay in the dead-letter queue. */
export const SET_ASIDE_MAX = 200;
export const KEEP_RECENT_CLICKS_DAYS = 30;
/**
 * Recent clicks that reports no longer show are deleted by this age. The next click of the link
 * deletes them at no cost; an earlier job would write a row for nearly every click of a link with
 * few clicks.
 */
export const DELETE_RECENT_CLICKS_DAYS = 2 * KEEP_RECENT_CLICKS_DAYS;
/**
 * Hours, places, agents and referrers of a day are kept in periods of this many months. The current
 * period and the two before are kept, so for 14 to 21 months. Months keep everything but the hours.
 */
export const DAY_DETAILS_PERIOD_MONTHS = 7;
/** Reports show hours and days for this long. */
export const KEEP_HOURS_DAYS = 14;
/** The chart of a link that is younger than this shows hours. */
export const CHART_HOURS_DAYS = 2;
export const KEEP_DAYS_MONTHS = 13;
/**
 * The time starts at the sign-in and does not depend on use. AUTH_SESSION_MAX_DAYS can only shorten
 * it.
 */
export const KEEP_SESSIONS_DAYS = 90;
/** How long a session that a mail has told about is kept after its end, for the link in that mail. */
export const KEEP_NOTICED_DAYS = 7;
export const KEEP_UNCONFIRMED_DAYS = 30;
/** How long the answer to a repeatable request of the public API is kept. */
export const KEEP_REPEATABLE_REQUESTS_HOURS = 24;
/**
 * The delivery log of a webhook endpoint: how long deliveries are kept, and the most deliveries.
 */
export const KEEP_WEBHOOK_DELIVERIES_DAYS = 14;
export const WEBHOOK_DELIVERIES_MAX = 1000;
/** How long a link that was created without an account can be claimed. */
export const KEEP_LINK_CLAIMS_DAYS = 30;
/**
 * The nightly copies of the database that are kept: the latest ones, and the newest copy of each of
 * the latest weeks and months.
 */
export const KEEP_COPIES = { days: 7, weeks: 4, months: 12 };

/** How far D1's point-in-time recovery reaches back: https://developers.cloudflare.com/d1/reference/time-travel/ */
export const PLATFORM_HISTORY_DAYS = 30;

/** The lifetime of an edge record in KV's cache, and in the memory of an isolate. */
export const KV_CACHE_SECONDS = 30;
export const LINK_MEMORY_SECONDS = 5;
/**
 * How long a disabled link may still redirect once KV serves its new edge record: the lifetime of a
 * record in KV's cache, plus an isolate's memory. KV documents no limit for the time before that,
 * so no text may promise these seconds (see DISABLE_PROMISE).
 */
export const DISABLE_BOUND_SECONDS = KV_CACHE_SECONDS + LINK_MEMORY_SECONDS;

/**
 * Messages per batch of the queue's consumer on the platform's free plan, which allows an
 * invocation 50 D1 queries. Counting one message takes up to nine.
 */
export const FREE_PLAN_BATCH = 5;

/** Characters of a link's target, before and after parsing. */
export const TARGET_MAX = 2048;
