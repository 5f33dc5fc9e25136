import '#web/styles/theme.css';
import './style.css';
import { createClient, dataOf, type ApiLink, type LinkBody } from '#cli/client.ts';
import { LINK_TITLE_MAX } from '#contract/limits.ts';
import { readAccount, readConnection, type Connection } from './connection.ts';
import { copyOnClick, copyShortUrl } from './copy-short-url.ts';
import { describeFailure, type Failure } from './describe-failure.ts';
import { byId, make, say, sayAt, whileBusy } from './elements.ts';
import { readGivenPage, rejectAddress } from './page-address.ts';

type NewLink = Pick<ApiLink, 'id' | 'code' | 'shortUrl'>;

const LINKS_SHOWN = 10;
const form = byId('form', HTMLFormElement);
const result = byId('result', HTMLElement);
const fields = {
  url: byId('url', HTMLInputElement),
  title: byId('title', HTMLInputElement),
  code: byId('code', HTMLInputElement),
  tags: byId('tags', HTMLInputElement),
};
const openSettings = () => void chrome.runtime.openOptionsPage();
for (const id of ['open-settings', 'connect-settings', 'failure-settings'])
  byId(id, HTMLButtonElement).addEventListener('click', openSettings);

async function start(account: Connection): Promise<void> {
  const { origin, key } = account;
  const client = createClient(origin, key);
  let shown: NewLink | null = null;
  /** A repeated request creates no second link, if its first answer got lost. */
  let attempt = { body: '', key: '' };

  const confirmCopy = copyOnClick(byId('copy', HTMLButtonElement), () => shown?.shortUrl ?? '');
  const describe = (error: unknown): Promise<Failure> =>
    describeFailure(error, navigator.onLine, async () => (await readAccount(origin, key)).quota);

  async function create(): Promise<void> {
    const link = readForm(account.canTag);
    const body = JSON.stringify(link);
    if (body !== attempt.body) attempt = { body, key: crypto.randomUUID() };
    const params = { header: { 'Idempotency-Key': attempt.key } };
    const created = dataOf(client.POST('/links', { body: link, params }));
    // Copying starts with the press of the button, as browsers require, and waits for the link.
    const copied = copyShortUrl(created.then(({ shortUrl }) => shortUrl));
    showResult(await created, link.url);
    attempt = { body: '', key: '' };
    if (await copied) confirmCopy();
  }

  function showResult(link: NewLink, target: string): void {
    shown = link;
    form.hidden = true;
    result.hidden = false;
    const address = byId('short-url', HTMLAnchorElement);
    address.href = link.shortUrl;
    address.textContent = withoutScheme(link.shortUrl);
    byId('result-target', HTMLElement).textContent = withoutScheme(target);
    byId('analytics', HTMLAnchorElement).href =
      `${origin}/analytics/${encodeURIComponent(link.code)}`;
    showQr(null);
    byId('copy', HTMLButtonElement).focus();
  }

  async function loadQr(id: string): Promise<void> {
    try {
      const request = client.GET('/links/{id}/qr.svg', {
        params: { path: { id } },
        parseAs: 'text',
      });
      showQr(await dataOf(request));
    } catch (error) {
      say(byId('qr-error', HTMLElement), (await describe(error)).text);
    }
  }

  async function loadLinks(): Promise<void> {
    const note = byId('links-note', HTMLElement);
    byId('recent', HTMLElement).hidden = false;
    try {
      const query = { limit: LINKS_SHOWN };
      const { data } = await dataOf(client.GET('/links', { params: { query } }));
      byId('links', HTMLUListElement).replaceChildren(...data.map(linkRow));
      say(note, data.length === 0 ? 'You have no links yet.' : '');
    } catch (error) {
      say(note, (await describe(error)).text);
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    showFailure(null);
    if (fields.url.value.trim() === '') {
      showFailure({ text: 'Enter the address of a page.', field: 'url', needsSettings: false });
      return;
    }
    void whileBusy(byId('shorten', HTMLButtonElement), () =>
      create().then(loadLinks, async (error: unknown) => showFailure(await describe(error))),
    );
  });
  byId('qr', HTMLButtonElement).addEventListener('click', ({ currentTarget }) => {
    if (!(currentTarget instanceof HTMLButtonElement) || shown === null) return;
    const { id } = shown;
    if (byId('qr-frame', HTMLElement).hidden) void whileBusy(currentTarget, () => loadQr(id));
    else showQr(null);
  });
  byId('again', HTMLButtonElement).addEventListener('click', () => {
    form.reset();
    say(byId('page-note', HTMLElement), '');
    form.hidden = false;
    result.hidden = true;
    fields.url.focus();
  });

  const page = await readGivenPage(location.search);
  const rejected = rejectAddress(page.url, [new URL(origin).host]);
  say(byId('page-note', HTMLElement), rejected ?? '');
  if (rejected === null) {
    fields.url.value = page.url;
    // A character that the cut has halved is left out, because no title can contain it.
    fields.title.value = page.title
      .trim()
      .slice(0, LINK_TITLE_MAX)
      .replace(/\p{Cs}$/u, '');
  }
  byId('tags-field', HTMLElement).hidden = !account.canTag;
  form.hidden = false;
  (rejected === null ? byId('shorten', HTMLButtonElement) : fields.url).focus();
  await loadLinks();
}

/** Reads the new link from the form. A key that may only create links sets no tags. */
function readForm(canTag: boolean): LinkBody {
  const [title, code] = [fields.title.value.trim(), fields.code.value.trim()];
  const tags = fields.tags.value
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return {
    url: fields.url.value.trim(),
    ...(title !== '' && { title }),
    ...(code !== '' && { code }),
    ...(canTag && tags.length > 0 && { tags }),
  };
}

function showFailure(failure: Failure | null): void {
  for (const [name, field] of Object.entries(fields))
    sayAt(field, failure?.field === name ? failure.text : '');
  say(byId('failure', HTMLElement), failure?.field === null ? failure.text : '');
  byId('failure-settings', HTMLButtonElement).hidden = failure?.needsSettings !== true;
  if (failure?.field) fields[failure.field].focus();
}

/** Shows the QR code, or hides it. */
function showQr(svg: string | null): void {
  say(byId('qr-error', HTMLElement), '');
  byId('qr-frame', HTMLElement).hidden = svg === null;
  byId('qr', HTMLButtonElement).ariaExpanded = String(svg !== null);
  if (svg === null) return;
  const image = byId('qr-image', HTMLImageElement);
  image.alt = 'QR code of the short URL';
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

function linkRow({ shortUrl, url, title }: ApiLink): HTMLLIElement {
  const address = make('a', 'code', withoutScheme(shortUrl));
  address.href = shortUrl;
  address.target = '_blank';
  address.rel = 'noopener';
  const copy = make('button', 'small', 'Copy');
  copy.type = 'button';
  copy.ariaLabel = `Copy ${withoutScheme(shortUrl)}`;
  copyOnClick(copy, () => shortUrl);
  const text = make('div', 'texts', address, make('span', 'target', title || withoutScheme(url)));
  return make('li', '', text, copy);
}

const withoutScheme = (address: string): string => address.replace(/^https?:\/\//, '');

const connection = await readConnection();
if (connection === null) byId('connect', HTMLElement).hidden = false;
else await start(connection);
