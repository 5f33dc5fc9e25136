import { expect, it } from 'vitest';
import { decodeText } from './decode-text.ts';

const TEXT = 'url,title\nhttps://a.example/straße,Grüße';
const latin = Uint8Array.from(TEXT, (char) => char.charCodeAt(0));
const utf16 = (isLittle: boolean, mark: string): Uint8Array =>
  Uint8Array.from(
    (mark + TEXT).split('').flatMap((char) => {
      const code = char.charCodeAt(0);
      return isLittle ? [code & 255, code >> 8] : [code >> 8, code & 255];
    }),
  );

it.each([
  ['UTF-8', new TextEncoder().encode(TEXT), 'utf-8'],
  ['UTF-8 with a mark', new TextEncoder().encode(`\uFEFF${TEXT}`), 'utf-8'],
  ['Windows-1252', latin, 'windows-1252'],
  ['UTF-16 with a mark', utf16(true, '\uFEFF'), 'utf-16le'],
  ['UTF-16 without a mark', utf16(true, ''), 'utf-16le'],
  ['UTF-16 without zeros', Uint8Array.of(0xff, 0xfe, 0x2d, 0x4e), 'utf-16le', '中'],
  [
    'UTF-16 without zeros in the other order',
    Uint8Array.of(0xfe, 0xff, 0x4e, 0x2d),
    'utf-16be',
    '中',
  ],
  ['UTF-16 in the other order', utf16(false, '\uFEFF'), 'utf-16be'],
  ['UTF-16 in the other order without a mark', utf16(false, ''), 'utf-16be'],
] as const)('decodes %s', (_name, bytes, encoding, text: string = TEXT) => {
  expect(decodeText(bytes)).toEqual({ text, encoding });
});

it('decodes with the chosen encoding', () => {
  const bytes = Uint8Array.of(0xcf, 0xf0, 0xe8);
  expect(decodeText(bytes, 'windows-1251')).toEqual({ text: 'При', encoding: 'windows-1251' });
  expect(decodeText(Uint8Array.of(0xe4), 'utf-8')).toEqual({ text: '\uFFFD', encoding: 'utf-8' });
});
