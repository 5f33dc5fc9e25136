import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LinkCard } from '#contract/links/link-card.ts';
import { makeLink } from '#web/testing/make-link.ts';
import { rejection, serve, type Asked } from '#web/testing/fake-server.ts';
import { press, renderPage } from '#web/testing/render-page.tsx';
import { takeToasts } from '#web/ui/announcer.ts';
import { CardDialog } from './card-dialog.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
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
    type('Description (optional)', 'Everything must go.');
    expect(screen.getAllByText('shop.example · Everything must go.')).toHaveLength(2);
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

  it('removes the card', async () => {
    const { changes, onClose } = await open(STORED);
    await press('Remove card');
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(changes()).toEqual(['DELETE /api/links/abc/card']);
    expect(takeToasts()).toMatchObject([{ text: 'Preview card removed.' }]);
  });

  it('needs a title, and shows errors of the server at their fields', async () => {
    const { changes } = await open(STORED, () =>
      rejection(400, 'Not this.', { field: 'description' }),
    );
    type('Title', ' ');
    await press('Save card');
    expect(screen.getByRole('alert').textContent).toBe('Enter a title.');
    expect(changes()).toEqual([]);
    type('Title', 'A title');
    await press('Save card');
    const field = screen.getByLabelText('Description (optional)');
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    expect(screen.getAllByText('Not this.')).toHaveLength(1);
  });

  it('rejects a file that is no picture', async () => {
    await open(null);
    const undecodable = vi.fn<typeof createImageBitmap>().mockRejectedValue(new Error('broken'));
    vi.stubGlobal('createImageBitmap', undecodable);
    const file = new File(['text'], 'a.png', { type: 'image/png' });
    fireEvent.change(screen.getByLabelText('Picture file'), { target: { files: [file] } });
    expect(await screen.findByText(/not a picture that your browser can show/)).toBeTruthy();
  });
});
