import { clsx } from 'clsx';
import { useId, type ReactNode } from 'react';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import { optionClass } from '#web/ui/selected.ts';
import { chooseLanguage, useLanguage } from './language.ts';
import { LANGUAGES, type Sample } from './samples.ts';

/**
 * Shows code with a copy button. Long lines of programs scroll inside the block, and those of
 * answers wrap. A sample in several languages has a switch, which changes all samples of the page.
 */
export function CodeBlock({
  code,
  name,
  label,
}: {
  code: string | Sample;
  name: string;
  label?: ReactNode;
}) {
  const language = useLanguage();
  const text = typeof code === 'string' ? code : code[language];
  return (
    <div className="mt-3 overflow-hidden rounded-lg border border-line bg-sunken">
      <div className="flex min-h-11 items-center gap-3 border-b border-line ps-4 pe-1.5 text-12 text-ink-3">
        <div className="min-w-0 flex-1">
          {typeof code === 'string' ? label : <LanguageSwitch name={name} />}
        </div>
        <span className="print:hidden">
          <CopyIcon text={text} name={`Copy ${name}`} />
        </span>
      </div>
      <pre
        dir="ltr"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keyboard, too
        tabIndex={0}
        className={clsx(
          'max-h-96 overflow-auto p-4 font-mono text-12 leading-5 text-ink -outline-offset-2 min-[75rem]:max-h-[min(30rem,60vh)] print:max-h-none print:[overflow-wrap:anywhere] print:whitespace-pre-wrap',
          typeof code === 'string' && '[overflow-wrap:anywhere] whitespace-pre-wrap',
        )}
      >
        <code>{text}</code>
      </pre>
    </div>
  );
}

function LanguageSwitch({ name }: { name: string }) {
  const language = useLanguage();
  const group = useId();
  return (
    <fieldset>
      <legend className="sr-only">Language of {name}</legend>
      <div className="-ms-2 flex gap-0.5">
        {LANGUAGES.map(({ value, label }) => (
          <label
            key={value}
            className={`print:not-has-checked:hidden inline-flex h-7 items-center rounded-md px-2 text-12 font-medium pointer-coarse:h-10 ${optionClass(language === value)}`}
          >
            <input
              type="radio"
              name={group}
              className="sr-only"
              checked={language === value}
              onChange={() => chooseLanguage(value)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const MARKS = /`([^`]+)`|\[([^\]]+)\]\(([^)]+)\)|\*\*([^*]+)\*\*|\*([^*]+)\*/g;

/** Shows a text with `code`, *emphasis*, **headings** and [links](#start). */
export function Marked({ text }: { text: string }) {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKS)) {
    const [whole, code, label, href, strong, stressed] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + whole.length;
    if (code !== undefined)
      parts.push(
        <code
          key={end}
          dir="ltr"
          className="font-mono text-[0.925em] [overflow-wrap:anywhere] text-ink"
        >
          {code}
        </code>,
      );
    else if (label !== undefined)
      parts.push(
        <a key={end} href={href} className={textLinkClass}>
          {label}
        </a>,
      );
    else if (strong !== undefined) parts.push(<strong key={end}>{strong}</strong>);
    else parts.push(<em key={end}>{stressed}</em>);
  }
  return [...parts, text.slice(end)];
}
