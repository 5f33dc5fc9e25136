/** The message of commands about a database or copy from before 1.0.0, after its name. */
export const FROM_BEFORE =
  'was made by a version of Hop before 1.0.0, which this version cannot upgrade. Nothing was changed.';

type RestoreValues = { name: string; found: string; needed: string };
type Text = string | ((values: RestoreValues) => string);
type Entry = readonly [
  reason: 'no_backup' | 'damaged' | 'unverified' | 'other_schema' | 'not_empty',
  text: Text,
];

const unverified = (doubt: string) =>
  [
    'unverified',
    `${doubt} Who writes a copy decides who is an administrator and where links lead. If you know where this one has been since it was written, add --unverified to restore it all the same.`,
  ] as const;
const otherSchema = (advice: string) =>
  [
    'other_schema',
    ({ found, needed }: RestoreValues) =>
      `The backup has the schema ${found}, this database ${needed || 'none'}. ${advice}`,
  ] as const;

/** Why a copy is not restored, as the command says it. */
const RESTORE_REFUSALS = {
  no_manifest: ['no_backup', 'There is no finished backup here: it has no manifest.json.'],
  not_signed: unverified(
    'This copy is not signed: it was made without AUTH_SECRET, or its signature was removed.',
  ),
  no_key: unverified(
    'The signature of this copy cannot be checked: the database does not have the key, which the Worker stores in its first hour. Set AUTH_SECRET for this command to the value that the deployment had when the copy was made.',
  ),
  other_signature: unverified(
    'The signature of this copy does not match: the copy was changed, or it was made with another AUTH_SECRET. If AUTH_SECRET has been replaced since, set it for this command to the value that the deployment had when the copy was made.',
  ),
  unreadable_manifest: ['damaged', 'The manifest of this backup cannot be read. Use another copy.'],
  other_date: [
    'damaged',
    ({ name, found }) => `The copy stored as ${name} is that of ${found}. Use another copy.`,
  ],
  changed_part: [
    'damaged',
    ({ name }) =>
      `The part ${name} is missing or has changed since it was written. Use another copy.`,
  ],
  missing_rows: ['damaged', ({ name }) => `The backup lacks rows of ${name}. Use another copy.`],
  missing_base: [
    'damaged',
    ({ name }) =>
      `This copy adds to the full copy of ${name}, which is missing or has changed since. Use another copy.`,
  ],
  unknown_columns: [
    'damaged',
    ({ name, found }) =>
      `The backup has columns of ${name} that no release had: ${found}. Use another copy.`,
  ],
  from_before: [
    'other_schema',
    `This backup ${FROM_BEFORE} Restore it with the version that wrote it, export the links there, and import that file here.`,
  ],
  newer_schema: otherSchema('Update Hop and apply its migrations first.'),
  older_schema: otherSchema(
    'Restore it into an empty database, which is then migrated, or with the release that wrote it.',
  ),
  not_empty: ['not_empty', 'The database is not empty. To replace what it holds, add --replace.'],
} as const satisfies Record<string, Entry>;

export type RestoreRefusal = { ok: false; reason: Entry[0]; message: string };
export type RestoreProblem = keyof typeof RESTORE_REFUSALS;

export function refuseRestore(
  problem: RestoreProblem,
  values: Partial<RestoreValues> = {},
): RestoreRefusal {
  const [reason, text]: Entry = RESTORE_REFUSALS[problem];
  const all = { name: '', found: '', needed: '', ...values };
  return { ok: false, reason, message: typeof text === 'string' ? text : text(all) };
}
