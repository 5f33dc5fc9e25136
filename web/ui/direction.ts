/** Returns the direction of the text in `element`, even if a browser has translated the page. */
export const directionOf = (element: Element): 'ltr' | 'rtl' =>
  getComputedStyle(element).direction === 'rtl' ? 'rtl' : 'ltr';
