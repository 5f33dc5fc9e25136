import { useState, type ComponentProps } from 'react';
import type { ForwardParams } from '#contract/links/forward-params.ts';
import type { SettingName } from '#contract/links/link-settings.ts';
import type { LinkVariant } from '#contract/links/link-variants.ts';
import type { LinkRule } from '#contract/links/rule-conditions.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input, Textarea, VERBATIM } from '#web/ui/input.tsx';
import { ForwardField } from './forward-field.tsx';
import {
  PasswordSetting,
  RulesSetting,
  StatusSetting,
  VariantsSetting,
  WatchFallbackSetting,
  WatchSetting,
} from './lazy-fields.tsx';
import {
  hasValue,
  LINE_MAX,
  SETTING_FIELDS,
  settingsAt,
  type Place,
  type SettingErrorAt,
  type SettingValue,
  type SettingChanges,
} from './link-settings.ts';

export type SettingsProps = {
  settings: SettingChanges;
  /** Receives undefined instead of the value of a new link. */
  onSetting: (name: SettingName, value: SettingValue) => void;
  errorAt?: SettingErrorAt;
};

/** The fields of a link's form for the settings that `place` shows. */
export const SettingFields = ({
  place,
  settings,
  onSetting,
  errorAt,
}: SettingsProps & { place: Place }) =>
  settingsAt(place)
    .filter((name) => isShown(name, settings))
    .map((name) => (
      <SettingField
        key={name}
        name={name}
        value={settings[name]}
        errorAt={errorAt}
        onChange={(value) => onSetting(name, hasValue(name, value) ? value : undefined)}
      />
    ));

/** Only a link with a limit needs to say what happens while clicks cannot be counted. */
const isShown = (name: SettingName, settings: SettingChanges): boolean =>
  name !== 'clickLimitOpen' || hasValue('clickLimit', settings.clickLimit);

export function SettingField({
  name,
  value,
  errorAt,
  onChange,
}: {
  name: SettingName;
  value: SettingValue;
  errorAt: SettingErrorAt;
  onChange: (value: SettingValue) => void;
}) {
  const { kind, label, hint, max = 0 } = SETTING_FIELDS[name];
  const error = errorAt?.(name);
  if (kind === 'params')
    return <ForwardField params={toForwardParams(value)} error={error} onParams={onChange} />;
  if (kind === 'rules')
    return (
      <RulesSetting rules={toRules(value)} error={error} errorAt={errorAt} onRules={onChange} />
    );
  if (kind === 'variants')
    return (
      <VariantsSetting
        variants={toVariants(value)}
        error={error}
        errorAt={errorAt}
        onVariants={onChange}
      />
    );
  if (kind === 'password') {
    const password = value === true || typeof value === 'string' ? value : '';
    return <PasswordSetting password={password} error={error} onPassword={onChange} />;
  }
  if (kind === 'status')
    return <StatusSetting status={Number(value ?? 302)} error={error} onStatus={onChange} />;
  if (kind === 'watch')
    return (
      <WatchSetting
        mode={typeof value === 'string' ? value : 'off'}
        error={error}
        onMode={onChange}
      />
    );
  if (kind === 'fallback')
    return (
      <WatchFallbackSetting
        to={typeof value === 'string' ? value : ''}
        error={error}
        onFallback={onChange}
      />
    );
  if (kind === 'flag')
    return (
      <Checkbox
        label={label}
        hint={hint}
        error={error}
        checked={value === true}
        onChange={(event) => onChange(event.target.checked)}
      />
    );
  const text = {
    value: typeof value === 'string' ? value : '',
    maxLength: max === 0 ? undefined : max,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <Field label={`${label} (optional)`} hint={hint} error={error}>
      {(control) =>
        kind === 'time' ? (
          <TimeInput
            {...control}
            time={typeof value === 'number' ? value : null}
            onTime={onChange}
          />
        ) : kind === 'url' ? (
          <Input {...VERBATIM} {...control} {...text} inputMode="url" dir="ltr" />
        ) : kind === 'count' ? (
          <Input
            {...control}
            type="number"
            inputMode="numeric"
            min={1}
            max={max}
            value={typeof value === 'number' ? value : ''}
            onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
          />
        ) : max > LINE_MAX ? (
          <Textarea {...control} {...text} className="min-h-20!" />
        ) : (
          <Input {...control} {...text} />
        )
      }
    </Field>
  );
}

const toForwardParams = (value: SettingValue): ForwardParams =>
  value === 'all'
    ? 'all'
    : Array.isArray(value)
      ? value.filter((one) => typeof one === 'string')
      : 'none';

const toRules = (value: SettingValue): LinkRule[] =>
  Array.isArray(value) ? value.filter((one) => typeof one !== 'string' && 'if' in one) : [];

const toVariants = (value: SettingValue): LinkVariant[] =>
  Array.isArray(value) ? value.filter((one) => typeof one !== 'string' && 'url' in one) : [];

/** Edits a time in the reader's time zone, in whole minutes. */
function TimeInput({
  time,
  onTime,
  ...control
}: ComponentProps<typeof Input> & {
  time: number | null;
  onTime: (time: number | null) => void;
}) {
  const [first] = useState(time);
  const [typed, setTyped] = useState('');
  // The first time may have seconds, which must stay if its text does.
  const parse = (text: string): number | null =>
    text === toDateTimeLocal(first) ? first : text === '' ? null : new Date(text).getTime();
  return (
    <Input
      {...control}
      type="datetime-local"
      value={parse(typed) === time ? typed : toDateTimeLocal(time)}
      onChange={({ target }) => {
        setTyped(target.value);
        onTime(parse(target.value));
      }}
    />
  );
}

/** Converts a time in ms to the value of an `<input type="datetime-local">`; null becomes ''. */
function toDateTimeLocal(time: number | null): string {
  if (time === null) return '';
  const date = new Date(time);
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join('-');
  return `${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}
