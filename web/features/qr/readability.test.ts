import { describe, expect, it } from 'vitest';
import { PLAIN_QR } from '#contract/presets/qr-presets.ts';
import { checkReadability } from './readability.ts';

const judge = (foreground: string, background: string, margin = 4) => {
  const { blocked, warnings } = checkReadability({ ...PLAIN_QR, foreground, background, margin });
  return blocked === null ? warnings.length : 'blocked';
};

describe('checkReadability', () => {
  it('blocks inverted and pale codes, and warns of weak contrast and a small margin', () => {
    expect(checkReadability(PLAIN_QR)).toEqual({ contrast: 21, blocked: null, warnings: [] });
    expect(judge('#0a3d62', '#ffffff')).toBe(0);
    expect(judge('#ffffff', '#0a3d62')).toBe('blocked');
    expect(judge('#ffd54f', '#ffffff')).toBe('blocked');
    expect(judge('#000000', '#000000')).toBe('blocked');
    expect(judge('#ff0000', '#ffffff')).toBe(1);
    expect(judge('#ff0000', '#ffffff', 3)).toBe(2);
    expect(judge('#000000', '#ffffff', 0)).toBe(1);
  });
});
