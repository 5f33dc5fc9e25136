import { vi } from 'vitest';
import options from '#extension/options.html?raw';
import popup from '#extension/popup.html?raw';
import { byId } from '#extension/elements.ts';

const PAGES = { options, popup } as const;

type Call = { call: string; body: unknown; idempotencyKey: string | null };

/**
 * Opens a page of the extension, with `stored` as its connection. `answer` responds to the requests
 * of the API, by `GET /links?limit=10`. Returns the requests, and what the browser stores and does.
 */
export async function openPage(
  name: keyof typeof PAGES,
  stored: unknown,
  answer: (call: string) => Response | Promise<Response>,
) {
  const calls: Call[] = [];
  const items: Record<string, unknown> = { connection: stored };
  const openOptionsPage = vi.fn<() => Promise<void>>(async () => undefined);
  const query = async () => [{ url: 'https://example.com/a', title: ` ${'a'.repeat(119)}🎉` }];
  const local = {
    get: async (item: string) => ({ [item]: items[item] }),
    set: async (added: object) => void Object.assign(items, added),
    remove: async (item: string) => void delete items[item],
  };
  vi.stubGlobal('chrome', {
    storage: { local },
    tabs: { query },
    runtime: { openOptionsPage },
  });
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const call = `${request.method} ${pathname.replace('/api/v1', '')}${search}`;
    const text = await request.text();
    const body: unknown = text === '' ? null : JSON.parse(text);
    const idempotencyKey = request.headers.get('Idempotency-Key');
    calls.push({ call, body, idempotencyKey });
    return answer(call);
  });
  // The clipboard of tests takes only text.
  vi.stubGlobal('ClipboardItem', undefined);
  document.body.innerHTML = /<body[^>]*>([\s\S]*)<\/body>/.exec(PAGES[name])?.[1] ?? '';
  vi.resetModules();
  await (name === 'popup' ? import('#extension/popup.ts') : import('#extension/options.ts'));
  return { calls, items, openOptionsPage };
}

/** The error of the API that a response has. */
export const problem = (status: number, code: string, pointer?: string): Response =>
  Response.json(
    {
      status,
      code,
      title: 'A title',
      detail: `Wrong: ${pointer ?? code}.`,
      ...(pointer !== undefined && { errors: [{ detail: `Wrong: ${pointer}.`, pointer }] }),
    },
    { status },
  );

export const press = (id: string): void => byId(id, HTMLButtonElement).click();
export const inputAt = (id: string): HTMLInputElement => byId(id, HTMLInputElement);
/** The text of an element; null if it is hidden. */
export function textAt(id: string): string | null {
  const element = byId(id, HTMLElement);
  return element.closest('[hidden]') === null ? element.textContent : null;
}
