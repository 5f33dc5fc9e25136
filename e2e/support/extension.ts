import type { BrowserContext, CDPSession, Page } from '@playwright/test';
import { extensionFolder } from '#scripts/build/build-extension.ts';
import { startFullBrowser } from './full-browser.ts';

/** A browser with the extension as it is built. `url` gives the address of one of its pages. */
export type ExtensionBrowser = {
  context: BrowserContext;
  id: string;
  url: (page: string) => string;
  runInBackground: (code: string) => Promise<unknown>;
};

/** Starts a browser with the extension. The caller closes its context. */
export async function startWithExtension(args: readonly string[]): Promise<ExtensionBrowser> {
  const folder = extensionFolder('chromium');
  const context = await startFullBrowser([
    `--load-extension=${folder}`,
    `--disable-extensions-except=${folder}`,
    // Allows DevTools to press the extension's button.
    '--enable-unsafe-extension-debugging',
    ...args,
  ]);
  const [running] = context.serviceWorkers();
  const background = running ?? (await context.waitForEvent('serviceworker'));
  return {
    context,
    id: new URL(background.url()).host,
    url: (page) => new URL(page, background.url()).href,
    runInBackground: (code) => background.evaluate(code),
  };
}

/** The popup at the extension's button. Playwright does not list it among the pages. */
export class ToolbarPopup {
  readonly #session: CDPSession;
  readonly #id: string;
  #messages = 0;

  private constructor(session: CDPSession, id: string) {
    this.#session = session;
    this.#id = id;
  }

  /** Presses the extension's button while `page` is the current tab. */
  static async open({ context, id, url }: ExtensionBrowser, page: Page): Promise<ToolbarPopup> {
    await page.bringToFront();
    const browser = await context.browser()?.newBrowserCDPSession();
    if (browser === undefined) throw new Error('The browser has no DevTools.');
    const { targetInfos: tabs } = await browser.send('Target.getTargets', {
      filter: [{ type: 'tab' }],
    });
    const tab = tabs.find((target) => target.url === page.url());
    if (tab === undefined) throw new Error(`No tab shows ${page.url()}.`);
    // Playwright's types have no domain for extensions.
    const devTools: { send(method: string, params: object): Promise<unknown> } = browser;
    await devTools.send('Extensions.triggerAction', { id, targetId: tab.targetId });
    const session = await context.newCDPSession(page);
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const { targetInfos } = await session.send('Target.getTargets');
      const popup = targetInfos.find((target) => target.url === url('popup.html'));
      if (popup !== undefined) {
        const { targetId } = popup;
        const attached = await session.send('Target.attachToTarget', { targetId, flatten: false });
        return new ToolbarPopup(session, attached.sessionId);
      }
      await page.waitForTimeout(100);
    }
    throw new Error('The popup did not open.');
  }

  /** Returns the value of an expression in the popup, as if a person had caused it. */
  async evaluate(expression: string): Promise<unknown> {
    const params = { expression, awaitPromise: true, returnByValue: true, userGesture: true };
    const { result } = await this.send('Runtime.evaluate', params);
    return result?.value;
  }

  async send(
    method: string,
    params: Readonly<Record<string, unknown>>,
  ): Promise<{ result?: { value?: unknown }; data?: string }> {
    this.#messages += 1;
    const id = this.#messages;
    const answered = new Promise<string>((resolve) => {
      const listen = ({ message }: { message: string }): void => {
        if (JSON.parse(message).id !== id) return;
        this.#session.off('Target.receivedMessageFromTarget', listen);
        resolve(message);
      };
      this.#session.on('Target.receivedMessageFromTarget', listen);
    });
    const message = JSON.stringify({ id, method, params });
    await this.#session.send('Target.sendMessageToTarget', { sessionId: this.#id, message });
    return JSON.parse(await answered).result;
  }
}
