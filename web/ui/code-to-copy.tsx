import { CopyButton } from './copy-button.tsx';

/** Text to copy, such as a secret or a command, with its button. `label` names the button. */
export function CodeToCopy({
  text,
  label,
  variant,
}: {
  text: string;
  label: string;
  variant?: 'primary' | 'secondary';
}) {
  return (
    <div className="flex flex-wrap items-start gap-2">
      <code className="min-w-0 flex-1 basis-64 rounded-md border border-line bg-sunken px-3 py-2 font-mono text-13 [overflow-wrap:anywhere]">
        {text}
      </code>
      <CopyButton text={text} label={label} variant={variant} />
    </div>
  );
}
