import type { GivenPage } from './page-address.ts';

const WINDOW = { type: 'popup', width: 400, height: 680 } as const;
const WEB = ['http://*/*', 'https://*/*'];

// The browser keeps the menus, so they are created only once.
chrome.runtime.onInstalled.addListener(() => {
  chrome.contextMenus.create({
    id: 'page',
    title: 'Shorten this page',
    contexts: ['page'],
    documentUrlPatterns: WEB,
  });
  chrome.contextMenus.create({
    id: 'link',
    title: 'Shorten this link',
    contexts: ['link'],
    targetUrlPatterns: WEB,
  });
});

chrome.contextMenus.onClicked.addListener(({ menuItemId, linkUrl, pageUrl }, tab) => {
  const isLink = menuItemId === 'link';
  const page: GivenPage = {
    url: (isLink ? linkUrl : pageUrl) ?? '',
    title: isLink ? '' : (tab?.title ?? ''),
  };
  void chrome.windows.create({ ...WINDOW, url: `popup.html?${new URLSearchParams(page)}` });
});
