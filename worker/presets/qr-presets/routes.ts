import { Hono, type Context } from 'hono';
import type { ErrorCode } from '#contract/errors.ts';
import {
  qrPresetChange,
  qrPresetInput,
  type QrPreset,
  type QrPresetsResponse,
} from '#contract/qr-presets.ts';
import { idFromCursor } from '#worker/db/paginate.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { ApiError } from '#worker/http/errors.ts';
import { rateLimit } from '#worker/http/rate-limit.ts';
import { readJson, requireMember } from '#worker/http/validate.ts';
import {
  changePreset,
  createPreset,
  listPresets,
  removePreset,
  type PresetErrorReason,
  type PresetResult,
} from './presets.ts';

export const qrPresetsRoutes = new Hono<ApiEnv>();

qrPresetsRoutes.get('/qr-presets', async (c) => {
  const response: QrPresetsResponse = {
    presets: await listPresets(c.get('db'), requireMember(c).id),
  };
  return c.json(response);
});

qrPresetsRoutes.post('/qr-presets', async (c) => {
  const { id } = requireMember(c);
  const input = readJson(c, qrPresetInput);
  await rateLimit(c.env.LIMIT_WRITES, id);
  return c.json(presetOf(await createPreset(c.get('db'), id, input, c.get('now'))), 201);
});

qrPresetsRoutes.patch('/qr-presets/:id', async (c) => {
  const { id } = requireMember(c);
  const change = readJson(c, qrPresetChange);
  await rateLimit(c.env.LIMIT_WRITES, id);
  return c.json(presetOf(await changePreset(c.get('db'), id, presetId(c), change)));
});

qrPresetsRoutes.delete('/qr-presets/:id', async (c) => {
  const { id } = requireMember(c);
  await rateLimit(c.env.LIMIT_WRITES, id);
  presetOf(await removePreset(c.get('db'), id, presetId(c)));
  return c.json({ success: true });
});

/** 0, which no preset has, for a path that is no id. */
const presetId = (c: Context<ApiEnv>): number => idFromCursor(c.req.param('id') ?? '') ?? 0;

const CODES: Record<PresetErrorReason, ErrorCode> = {
  preset_not_found: 'not_found',
  preset_taken: 'conflict',
  too_many_presets: 'conflict',
};

function presetOf(result: PresetResult): QrPreset {
  if (!result.ok) throw new ApiError(CODES[result.reason], result.message, { field: 'name' });
  return result.preset;
}
