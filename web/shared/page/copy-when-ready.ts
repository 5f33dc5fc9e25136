/**
 * Copies a text that is still being fetched. Returns whether that worked: the browser, its settings
 * or the fetch may prevent it. Safari only copies if the write starts with the user's action, which
 * therefore must not wait for the text.
 */
export async function copyWhenReady(text: Promise<string>): Promise<boolean> {
  try {
    if (typeof ClipboardItem === 'undefined') {
      await navigator.clipboard.writeText(await text);
      return true;
    }
    const type = 'text/plain';
    const blob = text.then((ready) => new Blob([ready], { type }));
    // `write` may fail before it waits for the text. A later failure of the text must not be
    // reported as unhandled.
    blob.catch(() => undefined);
    await navigator.clipboard.write([new ClipboardItem({ [type]: blob })]);
    return true;
  } catch {
    return false;
  }
}
