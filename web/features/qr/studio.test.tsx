import { act, cleanup, fireEvent, renderHook, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BRAND_COLORS } from '#contract/pages/brand.ts';
import { PLAIN_QR, type QrPreset } from '#contract/presets/qr-presets.ts';
import { changeFirstSteps } from '#web/shared/links/stored-first-steps.ts';
import { makeLink } from '#web/testing/make-link.ts';
import { rejection, serve, type Asked } from '#web/testing/fake-server.ts';
import { choose, press, renderPage } from '#web/testing/render-page.tsx';
import { saveFiles } from '#web/testing/save-files.ts';
import { takeToasts, useAnnouncement } from '#web/ui/announcer.ts';
import { drawQr } from './draw-qr.ts';
import { QrExportPanel } from './export-panel.tsx';
import { LogoField } from './logo-field.tsx';
import { QrStudio } from './qr-studio.tsx';
import { usePresets } from './queries.ts';
import { checkReadability } from './readability.ts';
import { readLogo } from './read-logo.ts';
import { EYE_OPTIONS, MODULE_OPTIONS } from './shape-field.tsx';
import { traceOutlines } from './trace-outlines.ts';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  takeToasts();
});

const LOGO = 'data:image/png;base64,AAAA';
const presetOf = (id: number, change: Partial<QrPreset> = {}): QrPreset => ({
  id,
  name: `preset ${id}`,
  style: { ...PLAIN_QR, modules: 'dots' },
  logo: '',
  isDefault: false,
  ...change,
});

/** Shows the studio with these presets, which the server changes as it is asked to. */
async function show(first: QrPreset[], answer?: (asked: Asked) => unknown) {
  let presets = first;
  const requests = serve(async (asked) => {
    const { method, path, body } = asked;
    const special = method === 'GET' ? undefined : await answer?.(asked);
    if (special !== undefined) return special;
    if (method === 'GET') return { presets };
    const id = Number(path.split('/').at(-1));
    if (method === 'DELETE') presets = presets.filter((one) => one.id !== id);
    const change: Partial<QrPreset> = JSON.parse(JSON.stringify(body)) ?? {};
    if (method === 'PATCH')
      presets = presets.map((one) => (one.id === id ? Object.assign({}, one, change) : one));
    if (method === 'POST') presets = [...presets, presetOf(9, change)];
    return presets.find((one) => one.id === (method === 'POST' ? 9 : id)) ?? {};
  });
  function Page() {
    const { data } = usePresets();
    const link = makeLink({ short_code: 'd.k/abc', short_url: 'https://hop.example/abc' });
    return data && <QrStudio link={link} presets={data} />;
  }
  renderPage(<Page />);
  await screen.findByLabelText('Preset');
  return { changes: () => requests.filter((text) => !text.startsWith('GET')) };
}
const chosen = () => screen.getByLabelText<HTMLSelectElement>('Preset').value;
const shape = () =>
  [...document.querySelectorAll<HTMLInputElement>('[name="modules"]')]
    .find(({ checked }) => checked)
    ?.closest('label')?.textContent;
const MENU = 'More actions for the preset preset 1';

describe('presets of the studio', () => {
  it('the studio is plain without a default, and after its preset was deleted', async () => {
    const { changes } = await show([presetOf(1)]);
    expect([chosen(), shape()]).toEqual(['', 'Square']);
    fireEvent.change(screen.getByLabelText('Preset'), { target: { value: '1' } });
    expect([chosen(), shape()]).toEqual(['1', 'Dots']);
    await choose(MENU, 'Rename');
    await screen.findByRole('dialog', { name: 'Rename preset' });
    expect(screen.getByLabelText('Name')).toHaveProperty('value', 'preset 1');
    await press('Cancel');
    expect(screen.queryByRole('dialog')).toBeNull();
    await choose(MENU, 'Rename');
    fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Brand' } });
    await press('Rename preset');
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text: 'Preset renamed.' }]));
    await choose('More actions for the preset Brand', 'Delete preset');
    await press('Delete preset');
    await waitFor(() => expect([chosen(), shape()]).toEqual(['', 'Square']));
    expect(changes()).toEqual([
      'PATCH /api/qr-presets/1 {"name":"Brand"}',
      'DELETE /api/qr-presets/1',
    ]);
  });

  it('the mark under the code is an option, and not part of the design', async () => {
    await show([presetOf(1)]);
    const preview = () =>
      decodeURIComponent(
        screen.getByAltText<HTMLImageElement>('QR code for the short URL abc').src,
      );
    expect(preview()).not.toContain(BRAND_COLORS.landing);
    fireEvent.click(screen.getByLabelText('Show the mark of Hop under the code'));
    expect(preview()).toContain(BRAND_COLORS.landing);
    expect(preview()).toContain('viewBox="0 0 37 47"');
    fireEvent.change(screen.getByLabelText('Preset'), { target: { value: '1' } });
    expect(preview()).toContain(BRAND_COLORS.landing);
  });

  it('each part of the design is a change of the preset', async () => {
    const logo = LOGO;
    await show([presetOf(1, { logo, isDefault: true, style: PLAIN_QR }), presetOf(2)]);
    const names = [...screen.getByLabelText<HTMLSelectElement>('Preset').options].map(
      ({ text }) => text,
    );
    expect(names).toEqual(['Plain', 'preset 1 (default)', 'preset 2']);
    expect(screen.getByAltText<HTMLImageElement>('Your logo').src).toBe(LOGO);
    for (const [label, value] of [
      ['Code color', '#123'],
      ['Code color, palette', '#112233'],
      ['Background color', '#FFFFEE'],
      ['Background color, palette', '#ffffee'],
      ['Margin', '5'],
      ['Logo size', 'large'],
      ['Dots', ''],
      ['Circle', ''],
    ] as const) {
      const control = screen.getByLabelText(label);
      if (value === '') fireEvent.click(control);
      else fireEvent.change(control, { target: { value } });
      expect([label, screen.queryByText('Save changes') !== null]).toEqual([label, true]);
      if (value !== '') expect(control).toHaveProperty('value', value);
      fireEvent.change(screen.getByLabelText('Preset'), { target: { value: '1' } });
      expect([label, screen.queryByText('Save changes')]).toEqual([label, null]);
    }
    expect(screen.getByText(/Error correction for this size: H \(30%\)\.$/)).toBeTruthy();
    expect(screen.getByText('Contrast 21.0:1. Easy to scan.')).toBeTruthy();
    expect(screen.getByText('4 modules')).toBeTruthy();
    const margin = screen.getByLabelText<HTMLInputElement>('Margin');
    expect([margin.max, margin.getAttribute('aria-valuetext')]).toEqual(['10', '4 modules']);
    fireEvent.change(screen.getByLabelText('Code color'), { target: { value: '#777' } });
    expect(screen.getByText(/^The colors are close to each other/)).toBeTruthy();
    await press('Save as preset…');
    await screen.findByText('Keeps this design and its logo in your account.');
    const saved = saveFiles();
    await press('Download SVG');
    await waitFor(() => expect(saved).toEqual([expect.stringMatching(/^qr-code-abc\.svg,/)]));
    fireEvent.change(screen.getByLabelText('Preset'), { target: { value: '' } });
    expect(screen.getByText(/Error correction: M \(15%\)\.$/)).toBeTruthy();
  });

  it('a saved preset is chosen, under a name that is not blank', async () => {
    await show([]);
    fireEvent.click(screen.getAllByText('Rounded')[0] ?? document.body);
    await press('Save as preset…');
    const save = (await screen.findByText('Save preset')).closest('button');
    fireEvent.change(screen.getByLabelText('Name'), { target: { value: '  ' } });
    fireEvent.click(save ?? document.body);
    expect(screen.getByText('Enter a name.')).toBeTruthy();
    fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Brand' } });
    fireEvent.click(save ?? document.body);
    await waitFor(() => expect(chosen()).toBe('9'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByText('Brand')).toBeTruthy();
    expect(screen.queryByText('Save changes')).toBeNull();
  });

  it('keeps what is changed while the preset is saved', async () => {
    let save = (): void => undefined;
    await show(
      [presetOf(1, { isDefault: true })],
      () => new Promise<undefined>((resolve) => (save = () => resolve(undefined))),
    );
    const field = screen.getByLabelText<HTMLInputElement>('Code color');
    fireEvent.change(field, { target: { value: '#111111' } });
    await press('Save changes');
    const button = () => screen.queryByRole('button', { name: 'Save changes' });
    await waitFor(() => expect(button()?.getAttribute('aria-busy')).toBe('true'));
    fireEvent.change(field, { target: { value: '#222222' } });
    save();
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text: 'Preset saved.' }]));
    expect(field.value).toBe('#222222');
    fireEvent.change(field, { target: { value: '#111111' } });
    expect(button()).toBeNull();
  });

  it.each([
    [false, 'Use as default', true, 'The studio opens with this preset.'],
    [true, 'Stop using as default', false, 'The studio opens with a plain code.'],
  ])('a preset that is the default (%s) changes that', async (isDefault, item, sent, text) => {
    const { changes } = await show([presetOf(1, { isDefault })]);
    fireEvent.change(screen.getByLabelText('Preset'), { target: { value: '1' } });
    await choose(MENU, item);
    await waitFor(() =>
      expect(changes()).toEqual([`PATCH /api/qr-presets/1 {"isDefault":${sent}}`]),
    );
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text }]));
  });

  it('a removed logo is a change of the preset, and what failed is said', async () => {
    await show([presetOf(1, { logo: LOGO, isDefault: true })], () => rejection(503, 'Down.'));
    expect(screen.queryByText('Save changes')).toBeNull();
    await press('Remove logo');
    expect(document.activeElement?.textContent).toBe('Choose logo');
    await press('Save changes');
    await waitFor(() =>
      expect(takeToasts()).toMatchObject([
        { text: 'That did not work.', note: 'Down.', tone: 'bad' },
      ]),
    );
    await choose(MENU, 'Stop using as default');
    await waitFor(() => expect(takeToasts()).toMatchObject([{ note: 'Down.' }]));
  });

  it.each([
    [19, false],
    [20, true],
  ])('an account with %i presets can save no more: %s', async (count, isFull) => {
    await show(Array.from({ length: count }, (_, at) => presetOf(at + 1)));
    expect(screen.getByText('Save as preset…').closest('button')?.disabled).toBe(isFull);
    expect(screen.queryByText(/^You have 20 presets/) !== null).toBe(isFull);
  });

  it('a typed color follows the preset, and says what it must be', async () => {
    await show([presetOf(1, { style: { ...PLAIN_QR, foreground: '#0a3d62' } })]);
    const field = screen.getByLabelText<HTMLInputElement>('Code color');
    fireEvent.change(field, { target: { value: '#12' } });
    expect(screen.getByText('Enter # and six digits from 0 to 9 and a to f.')).toBeTruthy();
    fireEvent.change(screen.getByLabelText('Preset'), { target: { value: '1' } });
    expect(field.value).toBe('#0a3d62');
    expect(screen.queryByText(/^Enter # and six digits/)).toBeNull();
    fireEvent.change(field, { target: { value: ' ABC ' } });
    expect(screen.getByLabelText('Code color, palette')).toHaveProperty('value', '#aabbcc');
    expect([field.value, field.maxLength]).toEqual([' ABC ', 7]);
  });
});

describe('QrExportPanel', () => {
  const drawing = drawQr('https://hop.example/abc', PLAIN_QR, '');

  it('begins with 1,024 px and 30 mm, and names the files by size', async () => {
    changeFirstSteps({ hasQr: false });
    const saved = saveFiles();
    const names = () => saved.map((text) => text.split(',')[0]);
    renderPage(<QrExportPanel code="abc" drawing={drawing} blocked={null} />);
    const value = (label: string) => screen.getByLabelText<HTMLSelectElement>(label).value;
    expect([value('Size of the PNG file'), value('Print size of the PDF file')]).toEqual([
      '1024',
      '30',
    ]);
    expect(screen.getByText(/^At 30 mm, phones can scan it from about 30 cm away/)).toBeTruthy();
    await press('Download PDF');
    await waitFor(() => expect(names()).toEqual(['qr-code-abc-30mm.pdf']));
    expect(renderHook(useAnnouncement).result.current).toMatch(/^Downloaded\./);
    expect(localStorage.getItem('hop.first-steps')).toContain('"hasQr":true');
    fireEvent.change(screen.getByLabelText('Print size of the PDF file'), {
      target: { value: '100' },
    });
    expect(screen.getByText(/^At 100 mm, phones can scan it from about 100 cm away/)).toBeTruthy();
    await press('Download SVG');
    await waitFor(() => expect(names()).toEqual(['qr-code-abc-30mm.pdf', 'qr-code-abc.svg']));
    const labels = [...document.querySelectorAll('option')].map(({ text }) => text);
    expect(labels.join()).toBe('256 px,512 px,1,024 px,2,048 px,4,096 px,20 mm,30 mm,50 mm,100 mm');
  });

  it('saves a file once if its button is pressed twice', async () => {
    const saved = saveFiles();
    renderPage(<QrExportPanel code="abc" drawing={drawing} blocked={null} />);
    const button = await screen.findByRole('button', { name: 'Download PDF' });
    fireEvent.click(button);
    expect(button.getAttribute('aria-busy')).toBe('true');
    const other = screen.getByRole('button', { name: 'Download SVG' });
    expect(other.getAttribute('aria-busy')).toBe('false');
    fireEvent.click(button);
    await press('Download SVG');
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('false'));
    // The second press of a double click comes after the file.
    fireEvent.click(button, { detail: 2 });
    await press('Download SVG');
    await waitFor(() => expect(saved).toHaveLength(2));
    expect(saved.map((text) => text.split(',')[0])).toEqual([
      'qr-code-abc-30mm.pdf',
      'qr-code-abc.svg',
    ]);
  });

  it('a PNG is as large as chosen, and its failure is said', async () => {
    const sizes: number[] = [];
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function open(
      this: HTMLCanvasElement,
    ) {
      sizes.push(this.width);
      return null;
    });
    renderPage(<QrExportPanel code="abc" drawing={drawing} blocked={null} />);
    fireEvent.change(screen.getByLabelText('Size of the PNG file'), { target: { value: '2048' } });
    await press('Download PNG');
    expect(await screen.findByText(/^The file could not be created\./)).toBeTruthy();
    expect(sizes).toEqual([2048]);
  });
});

describe('logo of a code', () => {
  const fileOf = (type: string, size: number) =>
    Object.defineProperty(new File(['x'], 'logo', { type }), 'size', { value: size });

  /** Reads a file in a browser that draws a picture of `side` px in `bytesOf(side)` bytes. */
  const drawn: string[] = [];
  function read(
    file: File,
    bytesOf: (side: number) => number = () => 100,
    { width = 2_000, height = 1_000, canDecode = true } = {},
  ) {
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
    const revoke = vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
    const decode = vi.spyOn(HTMLImageElement.prototype, 'decode').mockResolvedValue();
    if (!canDecode) decode.mockRejectedValue(new Error('broken'));
    Object.defineProperty(HTMLImageElement.prototype, 'naturalWidth', {
      value: width,
      configurable: true,
    });
    Object.defineProperty(HTMLImageElement.prototype, 'naturalHeight', {
      value: height,
      configurable: true,
    });
    drawn.length = 0;
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(
      Object.assign(Object.create(null), {
        drawImage(this: CanvasRenderingContext2D, _: unknown, ...at: number[]) {
          drawn.push(`${this.imageSmoothingQuality} ${at.join(' ')}`);
        },
      }),
    );
    vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockImplementation(function draw(
      this: HTMLCanvasElement,
    ) {
      return `${this.width} px`.padEnd(Math.ceil((bytesOf(this.width) * 4) / 3), ' ');
    });
    return { result: readLogo(file), revoke };
  }

  it.each([
    ['image/gif', 10, 'Choose a PNG, JPEG, WebP or SVG image.'],
    ['image/png', 2 * 1024 * 1024 + 1, 'The file is larger than 2 MB. Choose a smaller one.'],
  ])('a file of the type %s with %i bytes is rejected', async (type, size, message) => {
    expect(await read(fileOf(type, size)).result).toEqual({ ok: false, message });
  });

  it('a logo is as large as 32 KB allow, and its file is forgotten', async () => {
    const { result, revoke } = read(fileOf('image/png', 2 * 1024 * 1024), (side) => side * 100);
    const found = await result;
    expect(found.ok && found.logo.trim()).toBe('256 px');
    expect(revoke).toHaveBeenCalledExactlyOnceWith('blob:x');
  });

  it.each([
    ['image/png', [100, 50], '100 px', '0 25 100 50'],
    ['image/png', [50, 100], '100 px', '25 0 50 100'],
    ['image/png', [2_000, 1_000], '512 px', '0 128 512 256'],
    ['image/svg+xml', [100, 50], '512 px', '0 128 512 256'],
    ['image/svg+xml', [0, 0], '512 px', '0 0 512 512'],
  ])(
    'a %s logo of %j px becomes a square of %s with the whole logo centered',
    async (type, size, side, at) => {
      const [width = 0, height = 0] = size;
      const { result } = read(fileOf(type, 10), undefined, { width, height });
      expect(await result).toMatchObject({ ok: true, logo: expect.stringMatching(`^${side} *$`) });
      expect(drawn).toEqual([`high ${at}`]);
    },
  );

  it('a picture that the browser cannot decode is rejected, and its file is forgotten', async () => {
    const { result, revoke } = read(fileOf('image/png', 10), undefined, { canDecode: false });
    expect(await result).toEqual({
      ok: false,
      message: 'The browser could not read this image. Try another file.',
    });
    expect(revoke).toHaveBeenCalledExactlyOnceWith('blob:x');
  });

  it('an unreadable file leaves the logo, and its error goes once that is removed', async () => {
    const onLogo = vi.fn();
    function Page() {
      const [logo, setLogo] = useState(LOGO);
      onLogo.mockImplementation(setLogo);
      return (
        <LogoField logo={logo} size="small" level="Q" onLogo={onLogo} onSize={() => undefined} />
      );
    }
    renderPage(<Page />);
    const input = screen.getByLabelText<HTMLInputElement>('Logo file');
    expect(input.accept).toBe('image/png,image/jpeg,image/webp,image/svg+xml');
    const picker = vi.spyOn(input, 'click').mockReturnValue();
    await press('Replace logo');
    expect(picker).toHaveBeenCalledOnce();
    const hint = input.closest('fieldset')?.getAttribute('aria-describedby') ?? '';
    expect(document.getElementById(hint)?.textContent).toMatch(
      /^PNG, JPEG, WebP or SVG, up to 2 MB/,
    );
    const clear = vi.spyOn(input, 'value', 'set');
    Object.defineProperty(input, 'files', { value: [fileOf('image/gif', 1)] });
    act(() => void fireEvent.change(input));
    expect(await screen.findByText('Choose a PNG, JPEG, WebP or SVG image.')).toBeTruthy();
    expect(onLogo).not.toHaveBeenCalled();
    expect(clear).toHaveBeenCalledExactlyOnceWith('');
    await press('Remove logo');
    expect(screen.queryByText('Choose a PNG, JPEG, WebP or SVG image.')).toBeNull();
  });
});

describe('shapes of a drawing', () => {
  it('a QR code has its margin on all sides, and no module under its logo', () => {
    const plain = drawQr('https://hop.example/abc', { ...PLAIN_QR, margin: 4 }, '');
    const bare = drawQr('https://hop.example/abc', { ...PLAIN_QR, margin: 0 }, LOGO);
    expect([plain.side, plain.height]).toEqual([29 + 8, 29 + 8]);
    const { logo } = drawQr('https://hop.example/abc', { ...PLAIN_QR, margin: 4 }, LOGO);
    const { x: from = 0, side = 0 } = bare.logo ?? {};
    const isCovered = (at = 0) => at > from && at < from + side;
    expect(bare.steps.filter(([, x, y]) => isCovered(x) && isCovered(y))).toEqual([]);
    expect(side % 2).toBe(0);
    expect([logo?.x, logo?.y]).toEqual([bare.logo?.x, bare.logo?.y].map((at = 0) => at + 4));
    expect(bare.logo).toMatchObject({ x: bare.logo?.y, side: bare.side - 2 * (bare.logo?.x ?? 0) });
  });

  it('squares that share only a corner are separate shapes', () => {
    const outlines = traceOutlines(2, (x, y) => x === y);
    expect(outlines.map((corners) => corners.length)).toEqual([4, 4]);
  });

  it.each([
    ['modules', MODULE_OPTIONS],
    ['eyes', EYE_OPTIONS],
  ])('each option for the %s has a different picture', (_, options) => {
    expect(new Set(options.map(({ path }) => path)).size).toBe(3);
  });

  it.each([
    ['#959595', 'blocked'],
    ['#949494', 'weak'],
    ['#707070', 'weak'],
    ['#6f6f6f', 'good'],
  ])('the contrast of %s on white is %s', (foreground, verdict) => {
    const { blocked, warnings } = checkReadability({ ...PLAIN_QR, foreground });
    expect(blocked !== null ? 'blocked' : warnings.length > 0 ? 'weak' : 'good').toBe(verdict);
  });
});
