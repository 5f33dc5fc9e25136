import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CARD_PICTURE_MAX_BYTES } from '#contract/limits.ts';
import type { LinkCard } from '#contract/links/link-card.ts';
import { makeLink } from '#web/testing/make-link.ts';
import { rejection, serve, type Asked } from '#web/testing/fake-server.ts';
import { press, renderPage } from '#web/testing/render-page.tsx';
import { takeToasts } from '#web/ui/announcer.ts';
import { CardDialog } from './card-dialog.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  takeToasts();
});

const STORED: LinkCard = {
  title: 'Summer sale',
  description: 'Until August.',
  image: `${location.origin}/api/card-pictures/${'a'.repeat(64)}.png`,
  updatedAt: '2026-11-20T10:00:00Z',
};

/** Opens the dialog of a link with this card. `answer` responds to changes. */
async function open(card: LinkCard | null, answer: (asked: Asked) => unknown = () => ({ card })) {
  const onClose = vi.fn<() => void>();
  const requests = serve((asked) => (asked.method === 'GET' ? { card } : answer(asked)));
  const link = makeLink({ title: 'My title', long_url: 'https://shop.example/a' });
  renderPage(<CardDialog link={link} onClose={onClose} />);
  await screen.findByLabelText('Title');
  return { onClose, changes: () => requests.filter((text) => !text.startsWith('GET')) };
}
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const valueOf = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;

describe('the preview card of a link', () => {
  it('begins with the title of the link, and shows the host in every sketch', async () => {
    const { changes, onClose } = await open(null);
    expect(valueOf('Title')).toBe('My title');
    expect(screen.queryByText('Remove card')).toBeNull();
    expect(screen.getAllByText('shop.example')).toHaveLength(3);
    type('Description (optional)', 'Everything must go.');
    expect(screen.getAllByText('shop.example · Everything must go.')).toHaveLength(2);
    expect(screen.getAllByText(/^(shop|hop)\.example$/).map((p) => p.textContent)).toEqual([
      'hop.example',
      'shop.example',
    ]);
    expect(screen.getAllByText('My title')).toHaveLength(2);
    await press('Save card');
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(changes()).toEqual([
      'PUT /api/links/abc/card {"title":"My title","description":"Everything must go."}',
    ]);
  });

  it('keeps the picture of a card, and sends null once it is removed', async () => {
    const { changes } = await open(STORED);
    expect(document.querySelectorAll(`img[src="${STORED.image}"]`)).toHaveLength(2);
    await press('Remove picture');
    expect(document.querySelector('img')).toBeNull();
    expect(document.activeElement?.textContent).toBe('Choose picture');
    await press('Save card');
    await waitFor(() =>
      expect(changes()).toEqual([
        'PUT /api/links/abc/card {"title":"Summer sale","description":"Until August.","image":null}',
      ]),
    );
  });

  it('removes the card, or says why not', async () => {
    const failures = [rejection(503, 'Down.')];
    const { changes, onClose } = await open(STORED, () => failures.pop() ?? { card: null });
    await press('Remove card');
    expect(await screen.findByText('Down.')).toBeTruthy();
    expect(onClose).not.toHaveBeenCalled();
    await press('Remove card');
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(changes()).toEqual(Array(2).fill('DELETE /api/links/abc/card'));
    expect(takeToasts()).toMatchObject([{ text: 'Preview card removed.' }]);
  });

  it('needs a title, and shows errors of the server at their fields', async () => {
    const { changes, onClose } = await open(STORED, () =>
      rejection(400, 'Not this.', { field: 'description' }),
    );
    type('Title', ' ');
    expect(screen.getAllByText('Title', { selector: 'section *' })).toHaveLength(2);
    await press('Save card');
    expect(screen.getByRole('alert').textContent).toBe('Enter a title.');
    expect(changes()).toEqual([]);
    type('Title', 'A title');
    await press('Save card');
    const field = screen.getByLabelText('Description (optional)');
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    expect(screen.getAllByText('Not this.')).toHaveLength(1);
    await press('Cancel');
    expect(onClose).toHaveBeenCalledOnce();
  });

  /** Decodes pictures of that size. Each drawing is said in the address of its picture. */
  function decodePictures(width: number, height: number, bytes = 9): void {
    vi.stubGlobal('createImageBitmap', async () => ({ width, height }));
    const drawn: string[] = [];
    const context = {
      fillRect: (...rect: number[]) => drawn.push(`fill ${rect.join(' ')}`),
      drawImage: (_: unknown, ...rect: number[]) => drawn.push(`draw ${rect.join(' ')}`),
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the members that are called
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
    vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockImplementation((format, quality) => {
      const size = bytes * Number(quality);
      return [`data:${format} ${quality} ${drawn.splice(0).join(', ')}`, 'x'.repeat(size)].join(
        ',',
      );
    });
  }
  const chosen = () =>
    document.querySelector('img[src^="data:"]')?.getAttribute('src')?.replace(/,x*$/, '');
  const PNG = new File(['picture'], 'a.png', { type: 'image/png' });

  it('cuts a dropped picture to the size of a card, and moves the part that it shows', async () => {
    decodePictures(2400, 630);
    await open(null);
    const button = screen.getByRole('button', { name: 'Choose picture' });
    const place = button.parentElement ?? document.body;
    expect(fireEvent.dragOver(place)).toBe(false);
    expect(place.className).toContain('border-accent');
    fireEvent.dragLeave(place);
    expect(place.className).not.toContain('border-accent');
    fireEvent.dragOver(place);
    // Otherwise the browser opens the file.
    expect(fireEvent.drop(place, { dataTransfer: { files: [PNG] } })).toBe(false);
    const part = await screen.findByLabelText<HTMLInputElement>('Part, from left to right');
    expect(place.className).not.toContain('border-accent');
    expect([part.type, part.min, part.max, part.value]).toEqual(['range', '0', '100', '50']);
    // Transparent parts are white in a JPEG.
    const white = 'data:image/jpeg 0.92 fill 0 0 1200 630, ';
    expect(chosen()).toBe(`${white}draw -600 0 2400 630`);
    fireEvent.change(part, { target: { value: '100' } });
    expect([chosen(), part.value]).toEqual([`${white}draw -1200 0 2400 630`, '100']);
    await press('Remove picture');
    expect(chosen()).toBeUndefined();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Choose picture' }));
    expect(screen.queryByLabelText('Part, from left to right')).toBeNull();
    decodePictures(800, 630);
    fireEvent.drop(place, { dataTransfer: { files: [PNG] } });
    fireEvent.change(await screen.findByLabelText('Part, from top to bottom'), {
      target: { value: '0' },
    });
    expect(chosen()).toBe(`${white}draw 0 0 1200 945`);
    // Enlarged by half, a picture is still sharp enough.
    expect(screen.getByText(/^Networks show 1,200 × 630 pixels\./)).toBeTruthy();
  });

  it('saves a picture in the best quality that fits, and says that a small one blurs', async () => {
    decodePictures(600, 315, CARD_PICTURE_MAX_BYTES * 1.7);
    await open(null);
    const input = screen.getByLabelText<HTMLInputElement>('Picture file');
    const clear = vi.spyOn(input, 'value', 'set');
    fireEvent.change(input, { target: { files: [PNG] } });
    await screen.findByText(/^This picture is small and will look blurred/);
    expect(clear).toHaveBeenLastCalledWith('');
    expect(chosen()).toMatch(/^data:image\/jpeg 0\.75 /);
    expect(screen.queryByRole('slider')).toBeNull();
  });

  it('rejects a file of more than 20 MB', async () => {
    decodePictures(1200, 630);
    await open(null);
    const input = screen.getByLabelText<HTMLInputElement>('Picture file');
    expect(input.accept).toBe('image/jpeg,image/png,image/webp,image/avif,image/gif');
    const hint = input.closest('fieldset')?.getAttribute('aria-describedby') ?? '';
    expect(document.getElementById(hint)?.textContent).toMatch(/^Networks show/);
    const picker = vi.spyOn(input, 'click').mockReturnValue();
    await press('Choose picture');
    expect(picker).toHaveBeenCalledOnce();
    const choose = (value: number) => {
      const file = Object.defineProperty(new File([''], 'a.png'), 'size', { value });
      fireEvent.change(input, { target: { files: [file] } });
    };
    choose(20_000_001);
    expect(await screen.findByText(/^This file is larger than 20 MB\./)).toBeTruthy();
    expect(chosen()).toBeUndefined();
    choose(20_000_000);
    await waitFor(() => expect(chosen()).toBeDefined());
  });

  it('rejects a file that is no picture, until the picture is removed', async () => {
    await open(STORED);
    const undecodable = vi.fn<typeof createImageBitmap>().mockRejectedValue(new Error('broken'));
    vi.stubGlobal('createImageBitmap', undecodable);
    const file = new File(['text'], 'a.png', { type: 'image/png' });
    fireEvent.change(screen.getByLabelText('Picture file'), { target: { files: [file] } });
    expect(await screen.findByText(/not a picture that your browser can show/)).toBeTruthy();
    await press('Remove picture');
    expect(screen.queryByText(/not a picture that your browser can show/)).toBeNull();
    undecodable.mockReturnValue(new Promise(() => undefined));
    fireEvent.change(screen.getByLabelText('Picture file'), { target: { files: [file] } });
    expect(await screen.findByRole('button', { name: 'Choose picture', busy: true })).toBeTruthy();
  });
});
