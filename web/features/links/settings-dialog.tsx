import { useEffect, useState } from 'react';
import { formatNumber, plural } from '#contract/language.ts';
import type { SettingName } from '#contract/link-settings.ts';
import type { LinkChange, ListedLink } from '#contract/links.ts';
import { ACTION_MAX } from '#contract/limits.ts';
import {
  hasValue,
  noValue,
  type SettingChanges,
  type SettingErrorAt,
  type SettingValue,
} from '#web/shared/link-settings.ts';
import { OptionGroup } from '#web/shared/option-group.tsx';
import { serverErrors } from '#web/shared/server-errors.ts';
import { SettingField } from '#web/shared/setting-fields.tsx';
import { summarizeSettings } from '#web/shared/summarize-settings.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { PASSWORD_NOTE, toSettingsRequest } from './change-settings.ts';
import { DomainGroup } from './domain-group.tsx';
import type { useLinks } from './queries.ts';
import type { Actions } from './use-actions.ts';
import { WorkProgress } from './work-progress.tsx';

type SettingsDialogProps = {
  /** The selected links, of which at most ACTION_MAX can be changed. */
  ids: readonly number[];
  /** The loaded links of the list, selected or not. */
  links: readonly ListedLink[];
  query: ReturnType<typeof useLinks>;
  actions: Actions;
  onClose: () => void;
};

/** A label for each setting that the dialog can change: of what removes it, or of its change. */
const LABELS = {
  rules: 'Remove all rules',
  variants: 'Remove all variants',
  startsAt: 'Remove the start date',
  fallbackUrl: 'Remove the fallback',
  password: 'Remove the password',
  clickLimit: 'Remove the click limit',
  redirectStatus: 'Change the redirect status',
} as const satisfies { [Name in SettingName]?: string };
type Changeable = keyof typeof LABELS;
/** What is filled in or removed. Everything else is absent. */
type Changes = Pick<SettingChanges, Changeable>;

const GROUPS: readonly { title: string; about: string; names: readonly Changeable[] }[] = [
  {
    title: 'Rules and variants',
    about: 'They replace those that the links have.',
    names: ['rules', 'variants'],
  },
  {
    title: 'Start and fallback',
    about: 'When they start, and where they lead after their end.',
    names: ['startsAt', 'fallbackUrl'],
  },
  {
    title: 'Password and click limit',
    about: 'Who may follow the links, and how often.',
    names: ['password', 'clickLimit'],
  },
  { title: 'Redirect', about: 'The status of their redirects.', names: ['redirectStatus'] },
];
const NOTHING_SET = 'Fill in or remove at least one setting.';
const NAMES = GROUPS.flatMap(({ names }) => names);

/** Changes the same settings of up to ACTION_MAX links. */
export function SettingsDialog(props: SettingsDialogProps) {
  const { ids, onClose } = props;
  if (ids.length <= ACTION_MAX) return <SettingsForm {...props} />;
  return (
    <Dialog open title="Change settings" closeLabel="Close" onClose={onClose}>
      <p className="text-14 text-ink-2">
        You can change the settings of up to {ACTION_MAX} links at a time. You have selected{' '}
        {formatNumber(ids.length)}.
      </p>
    </Dialog>
  );
}

function SettingsForm({ ids, links, query, actions, onClose }: SettingsDialogProps) {
  const [changes, setChanges] = useState<Changes>({});
  const [domain, setDomain] = useState<string>();
  const [isTried, setTried] = useState(false);
  const selected = new Set(ids);
  const found = links.filter(({ id }) => selected.has(id));
  const missing = ids.length - found.length;
  const isLoading = useLoadMissing(query, missing);
  const { working, error } = actions;
  const errors = serverErrors(error, ['domain', ...NAMES]);
  const isEmpty = domain === undefined && Object.keys(changes).length === 0;
  const set = (name: Changeable, value: SettingValue): void =>
    setChanges((before) => {
      const after = Object.entries({ ...before, [name]: value });
      return Object.fromEntries(after.filter(([, one]) => one !== undefined));
    });
  const submit = (): void => {
    setTried(true);
    if (isEmpty || isLoading || found.length === 0) return;
    const change = { ...toLinkChange(changes), ...(domain !== undefined && { domain }) };
    actions.run(toSettingsRequest(found, change), 'dialog');
  };
  const count = plural(isLoading ? ids.length : found.length, 'link');
  return (
    <FormDialog
      title={`Change settings of ${count}`}
      action={`Change ${count}`}
      pending={actions.isPending || isLoading}
      errors={{ ...errors, ...(isTried && isEmpty && { rest: NOTHING_SET }) }}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-14 text-ink-2">
        Only what you fill in or remove here changes. Everything else stays as it is.
      </p>
      {missing > 0 && !isLoading && (
        <p className="text-14 text-ink-2">
          {plural(missing, 'selected link')} could not be loaded and will not change.
        </p>
      )}
      <div className="divide-y divide-line overflow-hidden rounded-md border border-line bg-surface">
        <DomainGroup domain={domain} error={errors.at('domain')} onDomain={setDomain} />
        {GROUPS.map(({ title, about, names }) => (
          <OptionGroup
            key={title}
            title={title}
            about={about}
            summary={names.flatMap((name) => summarize(name, changes)).join(' · ')}
            hasError={names.some((name) => errors.at(name) !== undefined)}
          >
            {names.map((name) => (
              <ChangedSetting
                key={name}
                name={name}
                changes={changes}
                errorAt={errors.at}
                onChange={(value) => set(name, value)}
              />
            ))}
          </OptionGroup>
        ))}
      </div>
      {working !== null && working.total > 1 && (
        <WorkProgress
          label="Changing links"
          {...working}
          onStop={() => {
            actions.stop();
            onClose();
          }}
        />
      )}
    </FormDialog>
  );
}

/** Loads further pages of the list until all selected links are there, because Undo needs them. */
function useLoadMissing(query: SettingsDialogProps['query'], missing: number): boolean {
  const { hasNextPage, isError, isFetching, fetchNextPage } = query;
  const isLoading = missing > 0 && hasNextPage && !isError;
  useEffect(() => {
    if (isLoading && !isFetching) void fetchNextPage();
  }, [isLoading, isFetching, fetchNextPage]);
  return isLoading;
}

/** A stored password, which only forms of one link show, is never among the changes. */
const toLinkChange = ({ password, ...changes }: Changes): LinkChange => ({
  ...changes,
  ...(typeof password === 'string' ? { password } : {}),
});

function summarize(name: Changeable, changes: Changes): string[] {
  if (!(name in changes)) return [];
  if (name === 'redirectStatus') return [`Status ${changes.redirectStatus}`];
  return [hasValue(name, changes[name]) ? summarizeSettings([name], changes) : LABELS[name]];
}

/** `onChange` receives undefined for a setting that stays. */
function ChangedSetting({
  name,
  changes,
  errorAt,
  onChange,
}: {
  name: Changeable;
  changes: Changes;
  errorAt: SettingErrorAt;
  onChange: (value: SettingValue) => void;
}) {
  const isChanged = name in changes;
  const isStatus = name === 'redirectStatus';
  const isRemoved = isChanged && !hasValue(name, changes[name]);
  const field = (
    <SettingField
      name={name}
      value={changes[name]}
      errorAt={errorAt}
      onChange={(value) => onChange(isStatus || hasValue(name, value) ? value : undefined)}
    />
  );
  const checkbox = (
    <Checkbox
      label={LABELS[name]}
      hint={isRemoved ? errorAt?.(name) : undefined}
      checked={isStatus ? isChanged : isRemoved}
      onChange={({ target }) => onChange(target.checked ? noValue(name) : undefined)}
    />
  );
  if (isStatus)
    return (
      <>
        {checkbox}
        {isChanged && field}
      </>
    );
  return (
    <div className="space-y-2.5">
      {!isRemoved && field}
      {checkbox}
      {name === 'password' && <p className="text-13 text-ink-3">{PASSWORD_NOTE}</p>}
    </div>
  );
}
