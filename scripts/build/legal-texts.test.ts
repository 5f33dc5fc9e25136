import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readText } from '#scripts/shared/markdown.ts';
import { WEB_DIST } from '#scripts/shared/place.ts';
import { LEGAL_DATES } from '#web/features/marketing/legal-dates.ts';
import * as limits from '#contract/limits.ts';
import { templatePath } from '#contract/pages/page-templates.ts';
import { ensureWebBuilt } from './build-web.ts';

/** A fingerprint of each text, under the date of its last change. */
const FINGERPRINTS = {
  '/privacy': { '2026-11-27': 'c92d1250869d' },
  '/terms': { '2026-11-26': '0bd3b52db00f' },
};

/** The text of the page's article in all its variants, without its dates. */
function textOf(page: keyof typeof FINGERPRINTS): string {
  const html = readFileSync(join(WEB_DIST, `${templatePath(page)}.html`), 'utf8');
  const article = /<article\b.*<\/article>/s.exec(html)?.[0] ?? '';
  return article
    .replaceAll(/<!--.*?-->|<[^>]+>/gs, ' ')
    .replace(/Last updated .*?; text changed \w+ \d+, \d+/, '')
    .replaceAll(/\s+/g, ' ');
}

beforeAll(async () => {
  await ensureWebBuilt();
});

describe('Privacy and Terms', () => {
  it.each(['/privacy', '/terms'] as const)('%s has the date of its last change', (page) => {
    const text = textOf(page);
    expect(text.length).toBeGreaterThan(3_000);
    const { changed } = LEGAL_DATES[page];
    // Another text needs another date, in LEGAL_DATES and here.
    expect({ [changed]: createHash('sha256').update(text).digest('hex').slice(0, 12) }).toEqual(
      FINGERPRINTS[page],
    );
  });

  it('every time for which data is kept stands in the retention table', () => {
    const table = readText('web/features/marketing/retention.ts');
    const kept = Object.keys(limits).filter((name) => /^(?:KEEP|DELETE)_/.test(name));
    expect(kept.length).toBeGreaterThan(15);
    expect(
      kept.filter((name) => !table.includes(`\${${name}`) && !table.includes(`* ${name}`)),
    ).toEqual([]);
  });
});
