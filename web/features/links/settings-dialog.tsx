import { useState } from 'react';
import { formatNumber, plural } from '#contract/language.ts';
import type { SettingName } from '#contract/links/link-settings.ts';
import type { LinkChange, ListedLink } from '#contract/links/links.ts';
import { ACTION_MAX } from '#contract/limits.ts';
import {
  hasValue,
  noValue,
  OPTION_GROUPS,
  SETTING_FIELDS,
  settingsAt,
  type OptionGroupName,
  type SettingChanges,
  type SettingErrorAt,
  type SettingValue,
} from '#web/shared/link-settings/link-settings.ts';
import { OptionGroup } from '#web/shared/link-settings/option-group.tsx';
import { serverErrors } from '#web/shared/api/server-errors.ts';
import { SettingField } from '#web/shared/link-settings/setting-fields.tsx';
import { summarizeSetting } from '#web/shared/link-settings/summarize-settings.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { PASSWORD_NOTE, toSettingsRequest } from './change-settings.ts';
import { DomainGroup } from './domain-group.tsx';
import type { useLinks } from './queries.ts';
import type { Actions } from './use-actions.ts';
import { useLoadWhile } from './use-load-while.ts';
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

const TEXTS: Readonly<Partial<Record<OptionGroupName, { title: string; about: string }>>> = {
  destinations: {
    title: 'Rules and variants',
    about: 'They replace those that the links have.',
  },
  times: {
    title: 'Start and fallback',
    about: 'When they start, and where they lead after their end.',
  },
  access: {
    title: 'Password and click limit',
    about: 'Who may follow the links, and how often.',
  },
  redirect: { title: 'Redirect', about: 'The status of their redirects.' },
};
const GROUPS = OPTION_GROUPS.flatMap((group) => {
  const names = settingsAt(group).filter((name) => SETTING_FIELDS[name].bulk !== undefined);
  const texts = TEXTS[group];
  return texts === undefined || names.length === 0 ? [] : [{ ...texts, names }];
});
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
  // What is filled in or removed. Everything else is absent.
  const [changes, setChanges] = useState<SettingChanges>({});
  const [domain, setDomain] = useState<string>();
  const [isTried, setTried] = useState(false);
  const selected = new Set(ids);
  const found = links.filter(({ id }) => selected.has(id));
  const missing = ids.length - found.length;
  // Undo needs all selected links.
  const isLoading = useLoadWhile(query, missing > 0);
  const { working, error } = actions;
  const errors = serverErrors(error, ['domain', ...NAMES]);
  const isEmpty = domain === undefined && Object.keys(changes).length === 0;
  const set = (name: SettingName, value: SettingValue): void =>
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

/** Leaves out `true`, which stands for the stored password in the form of one link. */
const toLinkChange = ({ password, ...changes }: SettingChanges): LinkChange => ({
  ...changes,
  ...(typeof password === 'string' ? { password } : {}),
});

/** True for a setting that every link has, so that it can be changed and not removed. */
const isChoice = (name: SettingName): boolean =>
  ['status', 'flag', 'watch'].includes(SETTING_FIELDS[name].kind);

function summarize(name: SettingName, changes: SettingChanges): string[] {
  if (!(name in changes)) return [];
  const isSaid = isChoice(name) || hasValue(name, changes[name]);
  return [(isSaid ? summarizeSetting(name, changes) : SETTING_FIELDS[name].bulk) ?? ''];
}

/** `onChange` receives undefined for a setting that stays. */
function ChangedSetting({
  name,
  changes,
  errorAt,
  onChange,
}: {
  name: SettingName;
  changes: SettingChanges;
  errorAt: SettingErrorAt;
  onChange: (value: SettingValue) => void;
}) {
  const isChanged = name in changes;
  const isChosen = isChoice(name);
  const isRemoved = isChanged && !hasValue(name, changes[name]);
  const field = (
    <SettingField
      name={name}
      value={changes[name]}
      errorAt={errorAt}
      onChange={(value) => onChange(isChosen || hasValue(name, value) ? value : undefined)}
    />
  );
  const checkbox = (
    <Checkbox
      label={SETTING_FIELDS[name].bulk ?? ''}
      error={isRemoved ? errorAt?.(name) : undefined}
      checked={isChosen ? isChanged : isRemoved}
      onChange={({ target }) => onChange(target.checked ? noValue(name) : undefined)}
    />
  );
  if (isChosen)
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
