import type { QrPreset, QrPresetChange, QrStyle } from '#contract/qr-presets.ts';
import type { Db } from '#worker/db/client.ts';
import { deletePreset, insertPreset, readPreset, readPresets, updatePreset } from './store.ts';

export type PresetErrorReason = 'preset_not_found' | 'preset_taken' | 'too_many_presets';
type PresetError = { ok: false; reason: PresetErrorReason; message: string };
export type PresetResult = { ok: true; preset: QrPreset } | PresetError;

const NOT_FOUND = {
  ok: false,
  reason: 'preset_not_found',
  message: "We couldn't find that preset in your account.",
} as const;
const TAKEN = {
  ok: false,
  reason: 'preset_taken',
  message: 'You have another preset with this name. Choose a different name.',
} as const;
const TOO_MANY = {
  ok: false,
  reason: 'too_many_presets',
  message: 'You have as many presets as an account can have. Delete one first.',
} as const;

export const listPresets = readPresets;

export async function createPreset(
  db: Db,
  userId: string,
  input: { name: string; style: QrStyle; logo: string },
  now: number,
): Promise<PresetResult> {
  const id = await insertPreset(db, userId, input, now);
  if (id !== null) return { ok: true, preset: { id, ...input, isDefault: false } };
  const isTaken = (await readPresets(db, userId)).some(
    ({ name }) => keyOf(name) === keyOf(input.name),
  );
  return isTaken ? TAKEN : TOO_MANY;
}

export async function changePreset(
  db: Db,
  userId: string,
  id: number,
  change: QrPresetChange,
): Promise<PresetResult> {
  const isChanged = await updatePreset(db, userId, id, change);
  const preset = await readPreset(db, userId, id);
  if (preset === undefined) return NOT_FOUND;
  return isChanged ? { ok: true, preset } : TAKEN;
}

/** Deletes a preset. Returns it as it was. */
export async function removePreset(db: Db, userId: string, id: number): Promise<PresetResult> {
  const preset = await readPreset(db, userId, id);
  if (preset === undefined || !(await deletePreset(db, userId, id))) return NOT_FOUND;
  return { ok: true, preset };
}

/** As SQLite compares names: without the case of A to Z. */
const keyOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
