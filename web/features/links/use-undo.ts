import type { LinkActionName } from '#contract/links.ts';
import { toast } from '#web/ui/announcer.ts';
import { plural } from '#contract/language.ts';
import { useLinkAction } from './queries.ts';

/** Returns a function that undoes an action on links and confirms it in a toast. */
export function useUndo(): (codes: string[], action: LinkActionName) => void {
  const { mutate } = useLinkAction((lines) => {
    const failed = lines.filter(({ ok }) => !ok).length;
    if (failed === 0) toast(`${plural(lines.length, 'link')} back as before.`);
    else toast(`${plural(failed, 'link')} could not be changed back.`, { tone: 'bad' });
  });
  return (codes, action) =>
    mutate(
      { codes, action },
      { onError: (error) => toast('Undo failed.', { tone: 'bad', note: error.message }) },
    );
}
