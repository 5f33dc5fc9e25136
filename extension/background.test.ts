import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => void vi.unstubAllGlobals());

it('the menus of pages and links open the popup with their address', async () => {
  const create = vi.fn<(menu: chrome.Menu) => void>();
  const open = vi.fn<(window: { url: string; type: string }) => Promise<void>>();
  let install = (): void => undefined;
  let choose = (_click: chrome.MenuClick, _tab?: chrome.Tab): void => undefined;
  vi.stubGlobal('chrome', {
    runtime: { onInstalled: { addListener: (listener: () => void) => (install = listener) } },
    contextMenus: {
      create,
      onClicked: { addListener: (listener: typeof choose) => (choose = listener) },
    },
    windows: { create: open },
  });
  vi.resetModules();
  await import('./background.ts');
  expect(create).not.toHaveBeenCalled();
  install();
  const web = ['http://*/*', 'https://*/*'];
  expect(create.mock.calls.flat()).toMatchObject([
    { id: 'page', title: 'Shorten this page', contexts: ['page'], documentUrlPatterns: web },
    { id: 'link', title: 'Shorten this link', contexts: ['link'], targetUrlPatterns: web },
  ]);
  const click = { pageUrl: 'https://a.example/?b=c', linkUrl: 'https://b.example/' };
  choose({ ...click, menuItemId: 'page' }, { title: 'A' });
  choose({ ...click, menuItemId: 'link' }, { title: 'A' });
  choose({ menuItemId: 'page' });
  const popup = { type: 'popup', width: 400, height: 680 };
  expect(open.mock.calls.flat()).toEqual([
    { ...popup, url: 'popup.html?url=https%3A%2F%2Fa.example%2F%3Fb%3Dc&title=A' },
    { ...popup, url: 'popup.html?url=https%3A%2F%2Fb.example%2F&title=' },
    { ...popup, url: 'popup.html?url=&title=' },
  ]);
});
