import { plural } from '#contract/language.ts';
import type { LinkActionLine } from '#contract/links/link-actions.ts';
import type { LinkChange, ListedLink } from '#contract/links/links.ts';
import { api, errorField, isErrorAt, RequestError } from '#web/shared/api/api.ts';
import { toSettingChanges } from '#web/shared/link-settings/link-settings.ts';
import { toast } from '#web/ui/announcer.ts';
import type { Acted, SettingsRequest, Work, WorkControl } from './send-actions.ts';

/** The longest wait that a server may ask for, in seconds. Longer ones end the work. */
const WAIT_MAX_S = 120;

export const PASSWORD_NOTE = 'Undo does not change passwords.';

type Target = { code: string; change: LinkChange };
type Targets = ReadonlyMap<number, Target>;

/**
 * Returns the request that changes the same settings of these links, one link after the other. Undo
 * finds a link that moved to another domain by its earlier key.
 */
export function toSettingsRequest(
  links: readonly ListedLink[],
  change: LinkChange,
): SettingsRequest {
  const targets = new Map(links.map(({ id, short_code: code }) => [id, { code, change }]));
  const undo = new Map(
    links.flatMap((link) => {
      const before = settingsBefore(link, change);
      return before === null ? [] : [[link.id, { code: link.short_code, change: before }]];
    }),
  );
  return {
    action: 'change_settings',
    ids: links.map(({ id }) => id),
    note: noteOf(links, change),
    send: (ids, control) => sendChanges(targets, ids, { ...control, isInputKnown: false }),
    undo: (changed) => toUndo(undo, changed),
  };
}

function toUndo(targets: Targets, changed: readonly number[]): SettingsRequest[] {
  const ids = changed.filter((id) => targets.has(id));
  if (ids.length === 0) return [];
  return [
    {
      action: 'change_settings',
      ids,
      note: '',
      send: (some, control) => sendChanges(targets, some, { ...control, isInputKnown: true }),
      undo: () => [],
    },
  ];
}

/**
 * Returns the change that gives a link back what it has now, or null if it has the new settings
 * already. Nobody can read the stored password, so it is not part of it.
 */
function settingsBefore(link: ListedLink, change: LinkChange): LinkChange | null {
  const wanted = new Map<string, unknown>(Object.entries(change));
  const { password: _, ...settings } = toSettingChanges(link);
  const before = Object.entries({ ...settings, domain: link.domain }).filter(
    ([name, value]) =>
      wanted.has(name) && JSON.stringify(value) !== JSON.stringify(wanted.get(name)),
  );
  return before.length === 0 ? null : Object.fromEntries(before);
}

function noteOf(links: readonly ListedLink[], { password, clickLimit }: LinkChange): string {
  const endsCount = clickLimit === null && links.some(({ click_limit: limit }) => limit !== null);
  return [
    password === undefined ? '' : PASSWORD_NOTE,
    endsCount ? 'After Undo, click limits count from 0.' : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** `isInputKnown` if another link has accepted the input, so that errors are about this link. */
type Control = WorkControl & { isInputKnown: boolean };

async function sendChanges(
  targets: Targets,
  ids: readonly number[],
  { isInputKnown, onProgress, isStopped }: Control,
): Promise<Work<LinkActionLine>> {
  const acted: Acted<LinkActionLine>[] = [];
  try {
    for (const id of ids) {
      const target = targets.get(id);
      if (target === undefined) continue;
      const isAccepted = isInputKnown || acted.some(({ line }) => line.ok);
      const line = await sendChange(target, { isInputKnown: isAccepted, isStopped });
      if (line === null) break;
      acted.push({ id, line });
      onProgress(acted.length);
    }
    return { acted, error: null };
  } catch (error) {
    return { acted, error };
  }
}

/** Returns null if the work was stopped before the link was changed. */
async function sendChange(
  { code, change }: Target,
  { isInputKnown, isStopped }: Pick<Control, 'isInputKnown' | 'isStopped'>,
): Promise<LinkActionLine | null> {
  while (!isStopped()) {
    try {
      const path = `/api/links/${encodeURIComponent(code)}`;
      await api<ListedLink>(path, { method: 'PATCH', body: change });
      return { ok: true, code, undo: null };
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const retryAfter = Number(error.headers?.get('retry-after'));
      if (error.status === 429 && retryAfter > 0 && retryAfter <= WAIT_MAX_S) {
        toast(`Too many changes at once. Continuing in ${plural(retryAfter, 'second')}.`);
        await waitFor(retryAfter, isStopped);
      } else if (isAboutLink(error) && (isInputKnown || !isAboutInput(error, change)))
        return { ok: false, code, error: error.message };
      else throw error;
    }
  }
  return null;
}

/** Other errors hold for every link: there is no network, no session, or no more room today. */
const isAboutLink = ({ status }: RequestError): boolean =>
  status >= 400 && status < 500 && ![401, 408, 429].includes(status);

const isAboutInput = (error: RequestError, change: LinkChange): boolean =>
  Object.keys(change).some((name) => isErrorAt(errorField(error), name));

async function waitFor(seconds: number, isStopped: () => boolean): Promise<void> {
  for (let left = seconds; left > 0 && !isStopped(); left -= 1)
    await new Promise((resolve) => setTimeout(resolve, 1000));
}
