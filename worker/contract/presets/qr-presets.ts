import * as z from 'zod/mini';
import { QR_LOGO_MAX_BYTES, QR_MARGIN_MAX, QR_PRESET_NAME_MAX } from '#contract/limits.ts';
import { changesSomething, uniqueName } from '#contract/common-schemas.ts';

/**
 * Designs of QR codes that a member keeps (docs/decisions.md#d54). The name is unique in the
 * account, ignoring case.
 */

export const QR_MODULES = ['square', 'rounded', 'dots'] as const;
export const QR_EYES = ['square', 'rounded', 'circle'] as const;
export const QR_LOGO_SIZES = ['small', 'medium', 'large'] as const;

const color = (name: string) =>
  z
    .string()
    .check(
      z.regex(/^#[0-9a-f]{6}$/, `${name} must be # and six hexadecimal digits, in lower case.`),
    );
const MARGIN_TEXT = `margin must be a whole number from 0 to ${QR_MARGIN_MAX}.`;

export const qrStyle = z.object({
  modules: z.enum(QR_MODULES),
  eyes: z.enum(QR_EYES),
  foreground: color('foreground'),
  background: color('background'),
  /** In modules. */
  margin: z
    .int(MARGIN_TEXT)
    .check(z.minimum(0, MARGIN_TEXT), z.maximum(QR_MARGIN_MAX, MARGIN_TEXT)),
  logoSize: z.enum(QR_LOGO_SIZES),
});
export type QrStyle = z.infer<typeof qrStyle>;

export const PLAIN_QR: QrStyle = {
  modules: 'square',
  eyes: 'square',
  foreground: '#000000',
  background: '#ffffff',
  margin: 4,
  logoSize: 'medium',
};

const presetName = uniqueName('preset', QR_PRESET_NAME_MAX, 'Enter a name for the preset.');

const PNG_URL = 'data:image/png;base64,';
/** The signature and the first 4 bytes of the header's length, as base64. */
const PNG_START = 'iVBORw0KGgoAAAAN';
const LOGO_URL_MAX = PNG_URL.length + 4 * Math.ceil(QR_LOGO_MAX_BYTES / 3);

/**
 * A PNG image as a `data:` URL; '' for none. Other formats, such as SVG, are rejected because they
 * can contain scripts.
 */
const logo = z.string().check(
  z.maxLength(LOGO_URL_MAX, `The logo can have at most ${QR_LOGO_MAX_BYTES / 1024} KB.`),
  z.refine(
    (url) =>
      url === '' ||
      (url.startsWith(PNG_URL + PNG_START) &&
        /^[A-Za-z0-9+/]+={0,2}$/.test(url.slice(PNG_URL.length))),
    'The logo must be a PNG image as a data: URL.',
  ),
);

/** POST /api/qr-presets. Returns the `QrPreset` with 201. */
export const qrPresetInput = z.object({
  name: presetName,
  style: qrStyle,
  logo: z._default(logo, ''),
});

/**
 * PATCH /api/qr-presets/:id. Returns the `QrPreset`. With `isDefault: true` no other preset is the
 * default one.
 */
export const qrPresetChange = z
  .object({
    name: z.optional(presetName),
    style: z.optional(qrStyle),
    logo: z.optional(logo),
    isDefault: z.optional(z.boolean()),
  })
  .check(changesSomething('Nothing to change. Send name, style, logo or isDefault.'));
export type QrPresetChange = z.infer<typeof qrPresetChange>;

/** `isDefault`: the QR studio opens with this preset. */
export type QrPreset = {
  id: number;
  name: string;
  style: QrStyle;
  logo: string;
  isDefault: boolean;
};

/**
 * GET /api/qr-presets: all presets of the member, by name. DELETE /api/qr-presets/:id returns `{
 * success: true }`.
 */
export type QrPresetsResponse = { presets: QrPreset[] };
