import { and, asc, eq, sql } from 'drizzle-orm';
import { QR_PRESETS_MAX } from '#contract/limits.ts';
import type { QrPreset, QrPresetChange, QrStyle } from '#contract/qr-presets.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { qr_presets } from '#worker/db/schema-qr.ts';
import { users } from '#worker/db/schema.ts';

const { id, name, style, logo } = qr_presets;
const PRESET = { id, name, style, logo, isDefault: qr_presets.is_default };

/** A member's presets by name: at most QR_PRESETS_MAX. */
export function readPresets(db: Db, userId: string): Promise<QrPreset[]> {
  return db
    .select(PRESET)
    .from(qr_presets)
    .where(eq(qr_presets.user_id, userId))
    .orderBy(asc(sql`lower(${qr_presets.name})`))
    .all();
}

export const readPreset = (
  db: Db,
  userId: string,
  presetId: number,
): Promise<QrPreset | undefined> =>
  db.select(PRESET).from(qr_presets).where(isOwn(userId, presetId)).get();

/** The id of the new preset; null if the name is taken or the account is full. */
export async function insertPreset(
  db: Db,
  userId: string,
  preset: { name: string; style: QrStyle; logo: string },
  now: number,
): Promise<number | null> {
  const { inserted } = await runNamedBatch(db, {
    inserted: sql<{ id: number }>`insert into ${qr_presets} (user_id, name, style, logo, created_at)
      select ${userId}, ${preset.name}, ${JSON.stringify(preset.style)}, ${preset.logo}, ${now}
      where exists (select 1 from ${users} where id = ${userId})
        and (select count(*) from ${qr_presets} where user_id = ${userId}) < ${QR_PRESETS_MAX}
      on conflict do nothing returning id`,
  });
  return inserted.rows[0]?.id ?? null;
}

/**
 * False if another preset of the member has the name, or none has the id. Only one preset of a
 * member is the default one.
 */
export async function updatePreset(
  db: Db,
  userId: string,
  presetId: number,
  change: QrPresetChange,
): Promise<boolean> {
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
  return changed.changes === 1;
}

export async function deletePreset(db: Db, userId: string, presetId: number): Promise<boolean> {
  return (
    (await db.delete(qr_presets).where(isOwn(userId, presetId)).returning({ id: qr_presets.id }))
      .length === 1
  );
}

const isOwn = (userId: string, presetId: number) =>
  and(eq(qr_presets.id, presetId), eq(qr_presets.user_id, userId));
