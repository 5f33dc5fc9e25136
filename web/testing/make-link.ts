import type { ListedLink } from '#contract/links/links.ts';

/** Settings of a link that always redirects to its destination. */
export const PLAIN_REDIRECT = {
  expires_at: null,
  starts_at: null,
  fallback_url: '',
  redirect_status: 302,
  rules: [],
  variants: [],
  click_limit: null,
  limit_open: false,
  has_password: false,
  forward_params: 'none',
  watch: 'off',
  watch_fallback: '',
} satisfies Partial<ListedLink>;

/** Returns a link of the list that has nothing but its code and target. */
export const makeLink = (change: Partial<ListedLink> = {}): ListedLink => ({
  id: 1,
  short_code: 'abc',
  domain: '',
  earlier_codes: [],
  short_url: `https://hop.example/${change.short_code ?? 'abc'}`,
  long_url: 'https://example.com/a',
  click_count: 3,
  limit_used: 0,
  created_at: '2026-11-01T12:00:00Z',
  status: 'active',
  status_reason: null,
  ...PLAIN_REDIRECT,
  title: '',
  note: '',
  tags: [],
  favorite: false,
  archived: false,
  suggest_on_typo: false,
  health: null,
  deleted_at: null,
  ...change,
});

/** Returns links with the codes `c1`, `c2` and so on. */
export const makeLinks = (count: number, change: Partial<ListedLink> = {}): ListedLink[] =>
  Array.from({ length: count }, (_, at) =>
    makeLink({
      id: at + 1,
      short_code: `c${at + 1}`,
      short_url: `https://hop.example/c${at + 1}`,
      ...change,
    }),
  );

/** What the checks of an unreachable destination have found. */
export const DEAD: NonNullable<ListedLink['health']> = {
  state: 'dead',
  reason: 'status',
  status: 404,
  detail: 'The destination answered 404.',
  checkedAt: '2026-11-20T11:00:00Z',
  since: '2026-11-19T10:00:00Z',
  replacedUrl: null,
};
