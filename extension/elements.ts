/** Returns the element with this id, which the page's HTML has. Throws if it is of another kind. */
export function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no such element: ${id}`);
  return found;
}

/** Creates an element with a class and content. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...content: readonly (string | Node)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.className = className;
  element.append(...content);
  return element;
}

/** Shows `text` in an element that is hidden while it has none. */
export function say(element: HTMLElement, text: string): void {
  element.textContent = text;
  element.hidden = text === '';
}

/** Shows an error at its field, and marks the field. '' removes it. */
export function sayAt(field: HTMLInputElement, text: string): void {
  say(byId(`${field.id}-error`, HTMLElement), text);
  if (text === '') field.removeAttribute('aria-invalid');
  else field.setAttribute('aria-invalid', 'true');
}

/** Marks a button as busy while `work` runs. A second press does nothing. */
export async function whileBusy(
  button: HTMLButtonElement,
  work: () => Promise<void>,
): Promise<void> {
  if (button.ariaBusy === 'true') return;
  button.ariaBusy = 'true';
  try {
    await work();
  } finally {
    button.ariaBusy = 'false';
  }
}
