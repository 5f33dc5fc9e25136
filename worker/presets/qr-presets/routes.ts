import { QR_PRESETS_MAX } from '#contract/limits.ts';
import {
  qrPresetChange,
  qrPresetInput,
  type QrPresetsResponse,
} from '#contract/presets/qr-presets.ts';
import { qr_presets } from '#worker/db/schema-presets.ts';
import { apiError } from '#worker/http/errors.ts';
import { limitWrites } from '#worker/http/rate-limit.ts';
import { idParam, readJson } from '#worker/http/validate.ts';
import { ofMember } from '#worker/presets/named-items.ts';
import { namedRoutes } from '#worker/presets/named-routes.ts';
import { changePreset, PRESET_COLUMNS } from './change-preset.ts';

const items = { table: qr_presets, max: QR_PRESETS_MAX, replaces: false };

export const qrPresetsRoutes = namedRoutes({
  path: '/qr-presets',
  items,
  input: qrPresetInput,
  list: async (db, userId): Promise<QrPresetsResponse> => {
    const { where, order } = ofMember(items, userId);
    const rows = db.select(PRESET_COLUMNS).from(qr_presets).where(where).orderBy(order);
    return { presets: await rows.all() };
  },
  toValues: ({ style, logo }) => ({ style: JSON.stringify(style), logo }),
  toItem: (id, input) => ({ id, ...input, isDefault: false }),
  errors: { notFound: 'unknown_preset', taken: 'preset_taken', full: 'too_many_presets' },
});

qrPresetsRoutes.patch('/qr-presets/:id', async (c) => {
  const change = readJson(c, qrPresetChange);
  const { id } = await limitWrites(c);
  const result = await changePreset(c.get('db'), id, idParam(c), change);
  if (!result.ok) throw apiError(result.reason, { field: 'name' });
  return c.json(result.preset);
});
