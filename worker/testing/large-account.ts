const HOUR_MS = 3_600_000;
export const LARGE_ACCOUNT_START = Date.parse('2020-01-01T00:00:00Z');

/** Returns the link number `i` of the account that `fillAccount` creates. */
export const linkAt = (i: number) => ({
  code: `big-${String(i).padStart(6, '0')}`,
  host: `h${i % 40}.example`,
  clicks: (i * 7919) % 10_007,
  lastClick: (i * 31) % 50_021,
  createdAt: LARGE_ACCOUNT_START + i * HOUR_MS,
  words: `w${i % 997} even${i % 2}`,
  isDisabled: i % 90 === 0,
  isExpired: i % 90 !== 0 && i % 70 === 0,
  isFavorite: i % 3000 === 0,
  isArchived: i % 10 === 9,
  tags: [...(i % 4 === 0 ? ['often'] : []), ...(i % 8000 === 0 ? ['seldom'] : [])],
});

export type Fill = { query: string; params: (string | number)[] };

/**
 * Returns the statements that give a member `links` links with tags and words. Codes are `prefix`,
 * a hyphen and the number.
 */
export function fillAccount(userId: string, links: number, prefix = 'big'): Fill[] {
  const tag = (name: string): Fill => ({
    query: `INSERT INTO tags (user_id, name, color, created_at) VALUES (?1, ?2, 'blue', 0)`,
    params: [userId, name],
  });
  const idOf = (name: string): string =>
    `(SELECT id FROM tags WHERE user_id = ?1 AND name = '${name}')`;
  const number = `substr(code, ${prefix.length + 2})`;
  return [
    tag('often'),
    tag('seldom'),
    {
      query: `WITH RECURSIVE seq(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM seq WHERE i < ?2)
        INSERT INTO links (code, is_alias, target, target_host, user_id, status, disabled_by, expires_at, created_at, updated_at,
          favorite, archived, words, ranked_clicks, ranked_last_click_at)
        SELECT printf('${prefix}-%06d', i), 0, 'https://h' || (i % 40) || '.example/', 'h' || (i % 40) || '.example', ?1,
          iif(i % 90 = 0, 'disabled', 'active'), iif(i % 90 = 0, 'owner', NULL), iif(i % 70 = 0, 5, NULL),
          ${LARGE_ACCOUNT_START} + i * ${HOUR_MS}, 0, i % 3000 = 0, i % 10 = 9, ' w' || (i % 997) || ' even' || (i % 2),
          (i * 7919) % 10007, (i * 31) % 50021 FROM seq`,
      params: [userId, links],
    },
    {
      query: `INSERT INTO link_words (user_id, word, link_id)
        SELECT user_id, 'w' || (${number} % 997), id FROM links WHERE user_id = ?1
        UNION ALL SELECT user_id, 'even' || (${number} % 2), id FROM links WHERE user_id = ?1`,
      params: [userId],
    },
    {
      query: `INSERT INTO link_tags (link_id, tag_id, link_created_at)
        SELECT id, ${idOf('often')}, created_at FROM links WHERE user_id = ?1 AND ${number} % 4 = 0
        UNION ALL SELECT id, ${idOf('seldom')}, created_at FROM links WHERE user_id = ?1 AND ${number} % 8000 = 0`,
      params: [userId],
    },
  ];
}
