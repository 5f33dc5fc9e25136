import { clsx } from 'clsx';
import { FileUp } from 'lucide-react';
import { useId, useRef, useState, type DragEvent } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Field } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { Textarea, VERBATIM } from '#web/ui/input.tsx';
import { useRequired } from '#web/ui/use-required.ts';

export type FileContent = string | Uint8Array;

/** In bytes. 10,000 links need far less. */
const FILE_MAX = 20 * 1024 * 1024;

/** Accepts a dropped or chosen file, as bytes, or pasted rows, as text. */
export function ChooseFile({
  onContent,
  error,
  pending,
}: {
  onContent: (content: FileContent) => void;
  error: string;
  pending: boolean;
}) {
  const [text, setText] = useState('');
  const [isOver, setIsOver] = useState(false);
  const [fileError, setFileError] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const hint = useId();
  const read = async (file: File | undefined): Promise<void> => {
    setFileError('');
    if (file === undefined) return;
    if (file.size > FILE_MAX)
      setFileError('This file is larger than 20 MB. Split it and import the parts.');
    else {
      const content = await file.arrayBuffer().catch(() => null);
      if (content === null) setFileError('We couldn’t read this file. Choose it again.');
      else onContent(new Uint8Array(content));
    }
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    void read(event.dataTransfer.files[0]);
  };
  const required = useRequired({ text: text.trim() === '' && 'Paste at least one row.' });
  const submit = (): void => {
    setFileError('');
    if (required.check()) onContent(text);
  };
  return (
    <Card className="p-4 sm:p-5">
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
        className={clsx(
          'flex flex-col items-center gap-3 rounded-md border border-dashed px-4 py-8 text-center',
          isOver ? 'border-accent bg-accent-soft' : 'border-line-strong',
        )}
      >
        <FileUp className="size-5 text-ink-3" />
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,.json,.html,.sql,text/csv,text/tab-separated-values,text/plain,text/html,application/json,application/sql"
          aria-label="File with links"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            void read(event.target.files?.[0]);
            // Without this, the same file could not be chosen again after a change.
            event.target.value = '';
          }}
        />
        <Button
          variant="primary"
          aria-describedby={hint}
          pending={pending}
          onClick={() => input.current?.click()}
        >
          Choose file
        </Button>
        <p id={hint} className="max-w-[52ch] text-13 text-ink-3">
          Or drop it here. CSV, TSV, JSON, SQL or bookmarks, as other services export them, or your
          own table with a line that names the columns.
        </p>
      </div>
      <Form onSubmit={submit} className="mt-5 space-y-3">
        <Field
          label="Or paste rows"
          error={required.at('text') || (fileError === '' ? error : fileError)}
        >
          {(control) => (
            <Textarea
              {...control}
              {...VERBATIM}
              value={text}
              rows={6}
              placeholder={
                'url,code,title,tags\nhttps://example.com/spring,spring,Spring sale,newsletter'
              }
              dir="ltr"
              className="font-mono"
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <div className="flex justify-end">
          <Button type="submit" pending={pending}>
            Read rows
          </Button>
        </div>
      </Form>
    </Card>
  );
}
