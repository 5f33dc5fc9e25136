/** The attributes that help to fill in a control, or limit it. */
const ATTRIBUTES = [
  'type',
  'inputmode',
  'autocomplete',
  'minlength',
  'maxlength',
  'min',
  'max',
  'step',
  'accept',
  'dir',
  'required',
  'disabled',
  'readonly',
] as const;

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * Lists the fields of the open dialog, or of the page: `Name: Poster, maxlength=60`, `[x] All
 * links`. The start of what describes a field comes last. `verbatim` is a field whose text browsers
 * neither complete nor correct.
 */
export function listControls(): string[] {
  const dialog = [...document.querySelectorAll('[role="dialog"]')].at(-1);
  const controls = (dialog ?? document).querySelectorAll<Control>('input, select, textarea');
  return [...controls]
    .filter((control) => control.type !== 'hidden' && control.closest('[hidden]') === null)
    .map((control) => [nameAndValue(control), ...help(control), ...hint(control)].join(', '));
}

function nameAndValue(control: Control): string {
  const labels = [...(control.labels ?? [])].map(({ textContent }) => textContent).join(' ');
  const name = control.getAttribute('aria-label') ?? labels;
  if (control instanceof HTMLInputElement) {
    if (control.type === 'checkbox') return `[${control.checked ? 'x' : ' '}] ${name}`;
    if (control.type === 'radio') return `(${control.checked ? 'o' : ' '}) ${name}`;
  }
  const chosen = control instanceof HTMLSelectElement ? control.selectedOptions[0] : undefined;
  return `${name}: ${chosen?.textContent ?? control.value}`.trimEnd();
}

function help(control: Control): string[] {
  const valueOf = (name: string): string | null => control.getAttribute(name);
  const found = ATTRIBUTES.filter((name) => valueOf(name) !== null)
    .map((name) => `${name}=${valueOf(name)}`)
    .map((text) => text.replace(/^type=|^autocomplete=(?!off)|=(true)?$/g, ''))
    .filter((text) => !['text', 'checkbox', 'radio'].includes(text));
  const isVerbatim =
    valueOf('autocomplete') !== null &&
    valueOf('autocapitalize') === 'none' &&
    valueOf('spellcheck') === 'false';
  return isVerbatim ? ['verbatim', ...found.filter((text) => text !== 'autocomplete=off')] : found;
}

/** The first words of each text that describes the control. */
const hint = (control: Control): string[] =>
  (control.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .filter((id) => id !== '')
    .map((id) => document.getElementById(id)?.textContent ?? `nothing has the id ${id}`)
    .map((text) => `“${text.split(' ').slice(0, 3).join(' ')}…”`);
