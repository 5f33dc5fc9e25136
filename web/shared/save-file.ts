/** Hands `text` to the browser as a download named `name`. */
export function saveFile(text: string, type: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken its copy by the next task.
  setTimeout(() => URL.revokeObjectURL(url));
}
