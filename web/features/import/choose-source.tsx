import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { IMPORT_SOURCES, SOURCE_NAMES } from '#contract/files/import-sources.ts';
import { formatNumber, plural } from '#contract/language.ts';
import { errorField } from '#web/shared/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';
import { Form } from '#web/ui/form.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useRequired } from '#web/ui/use-required.ts';
import { readSource, type SourceProgress } from './read-source.ts';

/** Reads links from the API of another service. The key is sent once for each page and kept nowhere. */
export function ChooseSource({ onContent }: { onContent: (content: string) => void }) {
  const [name, setName] = useState<string>('');
  const [address, setAddress] = useState('');
  const [key, setKey] = useState('');
  const [progress, setProgress] = useState<SourceProgress | null>(null);
  const [isStopped, setIsStopped] = useState(false);
  const stop = useRef<AbortController>(null);
  const source = SOURCE_NAMES.find((one) => one === name) ?? 'shlink';
  const read = useMutation({
    mutationFn: () => {
      stop.current = new AbortController();
      setProgress(null);
      setIsStopped(false);
      return readSource({ source, address, key: key.trim() }, setProgress, stop.current.signal);
    },
    onSuccess: onContent,
  });
  useEffect(() => () => stop.current?.abort(), []);
  const required = useRequired({
    address: address.trim() === '' && 'Enter the address of the server.',
    key: key.trim() === '' && 'Enter the API key.',
  });
  const field = errorField(read.error);
  const message = isStopped ? '' : (read.error?.message ?? '');
  return (
    <Panel
      title="Or read from a server"
      hint="Every link of your account there, with your API key."
    >
      <Form
        className="space-y-4"
        error={read.error}
        onSubmit={() => required.check() && read.mutate()}
      >
        <div className="grid gap-4 sm:grid-cols-3">
          <SelectField
            label="Service"
            choices={SOURCE_NAMES.map((one) => [one, IMPORT_SOURCES[one].label])}
            value={source}
            onSelect={setName}
          />
          <div className="sm:col-span-2">
            <TextField
              label="Address of the server"
              error={required.at('address') || (field === 'address' ? message : '')}
              type="url"
              value={address}
              placeholder="https://s.example.com"
              dir="ltr"
              {...VERBATIM}
              onText={setAddress}
            />
          </div>
        </div>
        <TextField
          label="API key"
          hint="It is used for this import only, and not stored."
          error={required.at('key') || (field === 'key' ? message : '')}
          type="password"
          autoComplete="off"
          value={key}
          dir="ltr"
          onText={setKey}
        />
        {field === '' && <ErrorText>{message}</ErrorText>}
        <div className="flex flex-wrap items-center justify-end gap-3">
          {read.isPending && progress !== null && (
            <output className="text-13 text-ink-3 tabular-nums">
              {formatNumber(progress.read)} of {plural(progress.total, 'link')} read
            </output>
          )}
          {read.isPending && (
            <Button
              onClick={() => {
                setIsStopped(true);
                stop.current?.abort();
              }}
            >
              Stop
            </Button>
          )}
          <Button type="submit" pending={read.isPending}>
            Read links
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
