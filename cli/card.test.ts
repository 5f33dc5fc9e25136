import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hop, ORIGIN } from './testing/hop.ts';

type Card = { title: string; description: string; image: string | null; updatedAt: string };
const CARD: Card = { title: 'Spring', description: 'Until May.', image: null, updatedAt: '' };
const LINK = { id: '7', code: 'sale', shortUrl: `${ORIGIN}/sale` };
const server =
  (card: Card | null) =>
  (call: string, body: unknown): Response => {
    if (call.startsWith('GET')) return Response.json({ ...LINK, card });
    if (call.startsWith('DELETE')) return new Response(null, { status: 204 });
    return Response.json({ ...CARD, ...Object(body) });
  };

describe('hop card', () => {
  it('shows the card of a link', async () => {
    const { out, sent } = await hop(['card', 'sale'], server(CARD));
    expect(out).toMatch(/^Title +Spring\nDescription +Until May\.$/);
    expect(sent).toHaveLength(1);
    expect((await hop(['card', 'sale'], server(null))).out).toBe('No card.');
    const image = `${ORIGIN}/card.png`;
    const shown = await hop(['card', 'sale'], server({ ...CARD, image }));
    expect(shown.out).toMatch(new RegExp(`^Picture +${image}$`, 'm'));
  });

  it('keeps what is not given, and sends a picture as a data: URL', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'hop-')), 'a.PNG');
    writeFileSync(file, 'abc');
    const { sent } = await hop(['card', 'sale', '--title', 'New', '--image', file], server(CARD));
    expect(sent.at(-1)).toMatchObject({
      call: 'PUT /links/7/card',
      body: { title: 'New', description: 'Until May.', image: 'data:image/png;base64,YWJj' },
    });
    const removed = await hop(['card', 'sale', '--no-image'], server(CARD));
    expect(removed.sent.at(-1)?.body).toEqual({ ...CARD, updatedAt: undefined });
    const emptied = await hop(['card', 'sale', '--description='], server(CARD));
    expect(emptied.sent.at(-1)?.body).toEqual({ title: 'Spring', description: '' });
    const unnamed = await hop(['card', 'sale', '--title='], server(CARD));
    expect([unnamed.code, unnamed.err]).toEqual([2, expect.stringContaining('Add --title.')]);
  });

  it.each([
    ['a.jpg', 'image/jpeg'],
    ['a.jpeg', 'image/jpeg'],
    ['a.webp', 'image/webp'],
  ])('sends the picture %s as %s', async (name, type) => {
    const file = join(mkdtempSync(join(tmpdir(), 'hop-')), name);
    writeFileSync(file, 'abc');
    const set = ['card', 'sale', '--image', file, '--json'];
    const { out, sent } = await hop(set, server({ ...CARD, updatedAt: 'now' }));
    const image = `data:${type};base64,YWJj`;
    expect(sent.at(-1)?.body).toMatchObject({ image });
    expect(JSON.parse(out)).toEqual({ card: { ...CARD, image } });
  });

  it('removes the card', async () => {
    const { out, sent } = await hop(['card', 'sale', '--remove'], server(CARD));
    expect([out, sent.at(-1)?.call]).toEqual([
      `${ORIGIN}/sale has no card.`,
      'DELETE /links/7/card',
    ]);
    const asJson = await hop(['card', 'sale', '--remove', '--json'], server(CARD));
    expect(JSON.parse(asJson.out)).toEqual({ card: null });
  });

  it.each([
    [['--description', 'A'], 'A card needs a title.'],
    [['--image', 'a.gif', '--title', 'A'], 'must be a .jpg, .png or .webp file'],
    [['--image', '/missing.png', '--title', 'A'], 'cannot be read'],
    [['--image', 'a.png', '--no-image'], 'Choose one of'],
    [['--remove', '--title', 'A'], 'Use it alone.'],
  ])('rejects %j before it changes anything', async (args, text) => {
    const { code, err, sent } = await hop(['card', 'sale', ...args], server(null));
    expect(code).toBe(2);
    expect(err).toContain(text);
    expect(sent.filter(({ call }) => !call.startsWith('GET'))).toEqual([]);
  });
});
