import type { ClaimLine } from '#contract/links/links.ts';
import { plural, wordFor } from '#contract/language.ts';

export function describeClaim(lines: readonly ClaimLine[]): string {
  const count = (reason: string): number =>
    lines.filter((line) => (line.ok ? 'claimed' : line.reason) === reason).length;
  const [added, noRoom, rejected] = [
    count('claimed'),
    count('quota_reached'),
    count('not_claimable'),
  ];
  return [
    added > 0 ? `${plural(added, 'link')} added to your account.` : '',
    noRoom > 0
      ? `${plural(noRoom, 'link')} not added: you have used all of this month's links. You can add ${wordFor(noRoom, 'it', 'them')} when your plan resets.`
      : '',
    rejected > 0
      ? `${plural(rejected, 'link')} not added: ${wordFor(rejected, 'it is', 'they are')} disabled, or in an account already.`
      : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
