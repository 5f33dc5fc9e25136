import { PASSWORD_MAX_BYTES, SHARED_TITLE_MAX } from '#contract/limits.ts';
import type { SharedPart, SharedReport } from '#contract/reports/shared-reports.ts';
import { formatDate } from '#web/shared/texts/format.ts';
import { useOwnPlan } from '#web/shared/api/use-me.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { choicesFor, PERIODS, type Draft, type ShareSubject } from './report-draft.ts';

const ENDS = [
  [0, 'Never'],
  [7, 'In 7 days'],
  [30, 'In 30 days'],
  [90, 'In 90 days'],
  [365, 'In a year'],
] as const;

/** The fields of a shared report. `report` is the present state of a report that is changed. */
export function ReportFields({
  kind,
  draft,
  report,
  errorAt,
  onChange,
}: {
  kind: ShareSubject['kind'];
  draft: Draft;
  report: SharedReport | null;
  errorAt: (field: string) => string | undefined;
  onChange: (change: Partial<Draft>) => void;
}) {
  const { title, period, from, to, days, password } = draft;
  return (
    <>
      <TextField
        label="Title"
        error={errorAt('title')}
        value={title}
        maxLength={SHARED_TITLE_MAX}
        autoComplete="off"
        onText={(text) => onChange({ title: text })}
      />
      <PartsField kind={kind} parts={draft.parts} onChange={(parts) => onChange({ parts })} />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Period"
          choices={PERIODS}
          value={period}
          onSelect={(value) =>
            onChange({ period: PERIODS.find(([known]) => known === value)?.[0] ?? period })
          }
        />
        <SelectField
          label="Ends"
          error={errorAt('expiresAt')}
          choices={
            report === null ? ENDS : [['keep', `As now: ${describeEnd(report)}`] as const, ...ENDS]
          }
          value={days ?? 'keep'}
          onSelect={(value) => onChange({ days: value === 'keep' ? null : Number(value) })}
        />
        {period === 'dates' &&
          (['from', 'to'] as const).map((name) => (
            <TextField
              key={name}
              type="date"
              label={name === 'from' ? 'First day' : 'Last day'}
              error={errorAt(name)}
              value={name === 'from' ? from : to}
              onText={(text) => onChange({ [name]: text })}
            />
          ))}
      </div>
      {!draft.removesPassword && (
        <PasswordField
          label={report?.hasPassword === true ? 'New password (optional)' : 'Password (optional)'}
          hint="Send it by another way than the address."
          error={errorAt('password')}
          value={password}
          maxLength={PASSWORD_MAX_BYTES}
          autoComplete="new-password"
          onText={(text) => onChange({ password: text })}
        />
      )}
      {report?.hasPassword === true && (
        <Checkbox
          label="Remove the password"
          checked={draft.removesPassword}
          onChange={(event) => onChange({ removesPassword: event.target.checked })}
        />
      )}
    </>
  );
}

export const describeEnd = ({ expiresAt }: Pick<SharedReport, 'expiresAt'>): string =>
  expiresAt === null ? 'no end' : formatDate(expiresAt);

function PartsField({
  kind,
  parts,
  onChange,
}: {
  kind: ShareSubject['kind'];
  parts: readonly SharedPart[];
  onChange: (parts: SharedPart[]) => void;
}) {
  const plan = useOwnPlan();
  return (
    <fieldset>
      <legend className="mb-1.5 text-13 font-medium">
        Besides the clicks by date, the report shows
      </legend>
      <div className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-3 pointer-coarse:gap-y-3.5">
        {choicesFor(kind, plan).map(({ part, label }) => (
          <Checkbox
            key={part}
            label={label}
            checked={parts.includes(part)}
            onChange={(event) =>
              onChange(
                event.target.checked ? [...parts, part] : parts.filter((other) => other !== part),
              )
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
