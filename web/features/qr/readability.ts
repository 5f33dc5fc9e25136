import type { QrStyle } from '#contract/presets/qr-presets.ts';

/**
 * Exports are blocked below the first contrast and have a warning below the second. Black on white
 * has 21.
 */
const CONTRAST_MIN = 3;
const CONTRAST_GOOD = 5;
/** The light modules that the standard requires around the code (ISO/IEC 18004). */
export const MARGIN_GOOD = 4;

/**
 * `blocked` says what scanners cannot read; null if they can. `warnings` say what is hard for some.
 */
export type Readability = { contrast: number; blocked: string | null; warnings: string[] };

export function checkReadability({ foreground, background, margin }: QrStyle): Readability {
  const [dark, light] = [luminance(foreground), luminance(background)];
  const contrast = (Math.max(dark, light) + 0.05) / (Math.min(dark, light) + 0.05);
  const warnings: string[] = [];
  if (contrast < CONTRAST_GOOD)
    warnings.push('The colors are close to each other. Some scanners need more contrast.');
  if (margin < MARGIN_GOOD)
    warnings.push(
      `Scanners need ${MARGIN_GOOD} modules of empty space around the code. Leave it free where you place the code.`,
    );
  if (dark > light)
    return {
      contrast,
      blocked:
        'The code must be darker than its background: many scanners cannot read it inverted.',
      warnings: [],
    };
  if (contrast < CONTRAST_MIN)
    return {
      contrast,
      blocked:
        'The colors are too close to each other for scanners. Choose a darker code or a lighter background.',
      warnings: [],
    };
  return { contrast, blocked: null, warnings };
}

/** Returns the relative luminance of '#rrggbb' (WCAG 2.2). */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
