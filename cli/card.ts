import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { components } from './api.d.ts';
import { dataOf, done } from './client.ts';
import { UsageError, type Command } from './command.ts';
import { findLink, LINK } from './find-link.ts';
import { request } from './request.ts';
import { table } from './text.ts';

type Card = components['schemas']['LinkCard'];

const TYPES: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
};

export const cardCommand: Command = {
  args: [LINK],
  summary: 'Show or set the preview card of a link, which chats and social networks show.',
  options: {
    title: { value: 'TEXT', text: 'its title' },
    description: { value: 'TEXT', text: 'its text' },
    image: {
      value: 'FILE',
      text: 'its picture: a JPEG, PNG or WebP file of 1,200 × 630 pixels, at most 300 KB',
    },
    'no-image': { text: 'remove its picture' },
    remove: { text: 'remove the card' },
  },
  examples: ['hop card spring --title "Spring sale" --image spring.jpg'],
  async run({ args, text, has, client, print }) {
    const [title, description, file] = [text('title'), text('description'), text('image')];
    const sets = has('no-image') || [title, description, file].some((one) => one !== undefined);
    if (has('no-image') && file !== undefined)
      throw new UsageError('Choose one of --image and --no-image.');
    if (has('remove') && sets)
      throw new UsageError('--remove removes the whole card. Use it alone.');
    const { id, shortUrl, card } = await findLink(client(), args[0]);
    const params = { path: { id } };
    if (has('remove')) {
      await request(() => done(client().DELETE('/links/{id}/card', { params })));
      return print({ card: null }, [`${shortUrl} has no card.`]);
    }
    if (!sets) return print({ card }, describeCard(card));
    if ((title ?? card?.title ?? '') === '')
      throw new UsageError('A card needs a title. Add --title.');
    const body = {
      title: title ?? card?.title ?? '',
      description: description ?? card?.description ?? '',
      ...(file === undefined ? {} : { image: readPicture(file) }),
      ...(has('no-image') ? { image: null } : {}),
    };
    const set = await request(() => dataOf(client().PUT('/links/{id}/card', { params, body })));
    print({ card: set }, describeCard(set));
  },
};

/** The server checks its size. */
function readPicture(file: string): string {
  const type = TYPES[extname(file).toLowerCase()];
  if (type === undefined) throw new UsageError('The picture must be a .jpg, .png or .webp file.');
  try {
    return `data:${type};base64,${readFileSync(file, 'base64')}`;
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

const describeCard = (card: Card | null): string[] =>
  card === null
    ? ['No card.']
    : table(
        [
          ['Title', card.title],
          ['Description', card.description],
          ['Picture', card.image ?? ''],
        ].filter(([, value]) => value !== ''),
      );
