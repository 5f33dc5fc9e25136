import { and, eq, sql } from 'drizzle-orm';
import type { QrPreset, QrPresetChange } from '#contract/presets/qr-presets.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { qr_presets } from '#worker/db/schema-presets.ts';

const { id, name, style, logo } = qr_presets;
export const PRESET_COLUMNS = { id, name, style, logo, isDefault: qr_presets.is_default };

export type PresetChangeResult =
  | { ok: true; preset: QrPreset }
  | { ok: false; reason: 'unknown_preset' | 'preset_taken' };

/**
 * Changes a preset. Making it the default unsets the previous default, because a member has only
 * one.
 */
export async function changePreset(
  db: Db,
  userId: string,
  presetId: number,
  change: QrPresetChange,
): Promise<PresetChangeResult> {
  const { changed } = await runNamedBatch(db, {
    changed: sql`update or ignore ${qr_presets} set name = coalesce(${change.name ?? null}, name),
      style = coalesce(${change.style === undefined ? null : JSON.stringify(change.style)}, style),
      logo = coalesce(${change.logo ?? null}, logo),
      is_default = coalesce(${change.isDefault === undefined ? null : Number(change.isDefault)}, is_default)
      where id = ${presetId} and user_id = ${userId}`,
    others: sql`update ${qr_presets} set is_default = 0
      where ${change.isDefault === true ? 1 : 0} and user_id = ${userId} and id <> ${presetId} and is_default
        and exists (select 1 from ${qr_presets} where id = ${presetId} and user_id = ${userId} and is_default)`,
  });
  const isOwn = and(eq(id, presetId), eq(qr_presets.user_id, userId));
  const preset = await db.select(PRESET_COLUMNS).from(qr_presets).where(isOwn).get();
  if (preset === undefined) return { ok: false, reason: 'unknown_preset' };
  return changed.changes === 1 ? { ok: true, preset } : { ok: false, reason: 'preset_taken' };
}
