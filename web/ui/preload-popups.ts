/** Loads the code of menus, dialogs and toasts, so that the first one of a visit opens at once. */
export function preloadPopups(): void {
  const popups = [
    import('./menu-popup.tsx'),
    import('./dialog-popup.tsx'),
    import('./toast-list.tsx'),
  ];
  // One that did not load is loaded again when it opens.
  void Promise.allSettled(popups);
}
