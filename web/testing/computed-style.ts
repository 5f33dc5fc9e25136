/**
 * Answers cheaply the two properties that queries by role read of each element. happy-dom applies
 * all style sheets to the element and its ancestors for that; tests have none, so that `display`
 * depends on the tag and `visibility` on style attributes.
 */
export function shortenComputedStyle(): void {
  const { defaultView } = document;
  // Test files share a window.
  if (defaultView === null || Object.hasOwn(defaultView, SHORTENED)) return;
  const compute = defaultView.getComputedStyle.bind(defaultView);
  const displays = new Map<string, string>();
  const displayOf = (element: Element): string => {
    if (element.hasAttribute('style') || !element.isConnected) return compute(element).display;
    const display = displays.get(element.tagName) ?? compute(element).display;
    displays.set(element.tagName, display);
    return display;
  };
  const visibilityOf = (element: Element): string => {
    for (let one: Element | null = element; one !== null; one = one.parentElement)
      if (one.getAttribute('style')?.includes('visibility') === true)
        return compute(element).visibility;
    return '';
  };
  const read = (element: Element, name: string | symbol): unknown => {
    if (name === 'display') return displayOf(element);
    if (name === 'visibility') return visibilityOf(element);
    if (name === 'getPropertyValue') return (one: string) => read(element, one);
    return Reflect.get(compute(element), name);
  };
  const known = compute(document.documentElement);
  const getComputedStyle = (element: Element): CSSStyleDeclaration =>
    new Proxy(known, { get: (_, name) => read(element, name) });
  for (const one of [window, defaultView]) Object.assign(one, { getComputedStyle });
  Object.assign(defaultView, { [SHORTENED]: true });
}

const SHORTENED = 'hasShortComputedStyle';
