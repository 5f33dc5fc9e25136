/**
 * The part of the browsers' API that the extension uses. Firefox has it under the same name and
 * also returns promises (developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions).
 */
declare namespace chrome {
  type Tab = { url?: string; title?: string };
  type MenuClick = { menuItemId: string | number; linkUrl?: string; pageUrl?: string };
  type Menu = {
    id: string;
    title: string;
    contexts: ('page' | 'link')[];
    documentUrlPatterns?: string[];
    targetUrlPatterns?: string[];
  };
  const storage: {
    local: {
      get(key: string): Promise<Record<string, unknown>>;
      set(items: Record<string, unknown>): Promise<void>;
      remove(key: string): Promise<void>;
    };
  };
  const tabs: { query(filter: { active: true; currentWindow: true }): Promise<Tab[]> };
  const windows: {
    create(window: { url: string; type: 'popup'; width: number; height: number }): Promise<unknown>;
  };
  const contextMenus: {
    create(menu: Menu): void;
    onClicked: { addListener(listener: (click: MenuClick, tab?: Tab) => void): void };
  };
  const runtime: {
    onInstalled: { addListener(listener: () => void): void };
    openOptionsPage(): Promise<void>;
  };
}
