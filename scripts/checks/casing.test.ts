import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/shared/place.ts';

/** The declarations of the contract with members in snake_case (docs/decisions.md#d41). */
const IN_SNAKE_CASE = [
  // The objects of the first pages.
  ['AdminLink', 'AdminStats', 'AdminUser', 'ClickProof', 'adminAction'],
  ['LinkState', 'ListedLink', 'Post', 'RecentClick', 'ReportFrame', 'ShortenResponse'],
  ['Subscription', 'UsedQuota'],
  // Files that members keep, and filters that are stored in views and stand in addresses.
  ['AccountExport', 'ExportedLink', 'linkFilters', 'viewFilters'],
  // The protocols of the sign-in client, of OAuth, and of Android.
  ['FactorStatus', 'Passkey', 'SsoIdentityResponse'],
  ['authorizeQuery', 'clientMetadata', 'tokenForm'],
  ['androidStatement', 'rules'],
  // Error codes.
  ['ERROR_CODES'],
].flat();

const DECLARATION = /^(?:export )?(?:type|const|function) (\w+)/gm;
const COMMENT_OR_TEXT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`/g;
const MEMBER = /(?<=[{;,(]\s*)[a-z]+(?:_[a-z0-9]+)+\??:/;

/** Returns the names of top-level declarations that have members in snake_case. */
function findSnakeCase(source: string): string[] {
  const code = source.replaceAll(COMMENT_OR_TEXT, '');
  const starts = [...code.matchAll(DECLARATION)];
  return starts.flatMap(({ 1: name = '', index }, at) =>
    MEMBER.test(code.slice(index, starts[at + 1]?.index)) ? [name] : [],
  );
}

describe('members on the wire', () => {
  it('members are in camelCase, apart from the objects that D41 names', () => {
    const files = globSync('worker/contract/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] });
    const found = files.flatMap((file) => findSnakeCase(readFileSync(join(ROOT, file), 'utf8')));
    expect(found.toSorted()).toEqual(IN_SNAKE_CASE.toSorted());
  });
});
