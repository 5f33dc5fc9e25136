import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ImportCheckLine, ImportLine } from '#contract/files/import.ts';
import { CheckResult } from './check-result.tsx';
import { ChooseFile } from './choose-file.tsx';
import type { Encoding } from './formats/decode-text.ts';
import type { ImportFile, ImportRow } from './formats/import-row.ts';
import { ImportRun } from './import-run.tsx';
import { ReviewFile } from './review-file.tsx';
import type { ImportJob } from './stored-import.ts';
import type { RunningImport } from './use-import.ts';

afterEach(cleanup);

const rowsOf = (count: number): ImportRow[] =>
  Array.from({ length: count }, (_, at) => ({ line: at + 1, url: `https://a.example/${at}` }));
const nothing = () => undefined;

describe('ChooseFile', () => {
  const MB = 1024 * 1024;
  function show() {
    const onText = vi.fn<(content: string | Uint8Array) => void>();
    render(<ChooseFile onContent={onText} error="" pending={false} />);
    return { onText, input: screen.getByLabelText<HTMLInputElement>('File with links') };
  }
  const URL_BYTES = new TextEncoder().encode('url');
  const fileOf = (size: number, read: () => Promise<unknown> = async () => URL_BYTES) =>
    Object.defineProperties(new File(['url'], 'links.csv'), {
      arrayBuffer: { value: read },
      size: { value: size },
    });
  const choose = (input: HTMLInputElement, file: File) => {
    Object.defineProperty(input, 'files', { value: [file], configurable: true });
    fireEvent.change(input);
  };

  it.each([
    [20 * MB, true],
    [20 * MB + 1, false],
  ])('reads a file of %i bytes: %s', async (size, isRead) => {
    const { onText, input } = show();
    choose(input, fileOf(size));
    if (isRead) await waitFor(() => expect(onText).toHaveBeenCalledExactlyOnceWith(URL_BYTES));
    else expect(await screen.findByText(/^This file is larger than 20 MB\./)).toBeTruthy();
    expect(onText.mock.calls.length).toBe(isRead ? 1 : 0);
  });

  it('says that a file cannot be read', async () => {
    const { onText, input } = show();
    choose(
      input,
      fileOf(3, () => Promise.reject(new Error('gone'))),
    );
    const error = 'We couldn’t read this file. Choose it again.';
    expect(await screen.findByText(error)).toBeTruthy();
    expect(onText).not.toHaveBeenCalled();
    choose(input, fileOf(3));
    await waitFor(() => expect(onText).toHaveBeenCalledOnce());
    expect(screen.queryByText(error)).toBeNull();
    choose(
      input,
      fileOf(3, () => Promise.reject(new Error('gone'))),
    );
    await screen.findByText(error);
    fireEvent.change(screen.getByLabelText('Or paste rows'), { target: { value: 'url' } });
    fireEvent.click(screen.getByRole('button', { name: 'Read rows' }));
    expect(onText).toHaveBeenLastCalledWith('url');
    expect(screen.queryByText(error)).toBeNull();
  });

  it('opens the dialog for files, and reads no empty text', () => {
    const { onText, input } = show();
    const open = vi.spyOn(input, 'click');
    const button = screen.getByRole('button', { name: 'Choose file' });
    const hint = document.getElementById(button.getAttribute('aria-describedby') ?? '');
    expect(hint?.textContent).toMatch(/^Or drop it here\./);
    // The button is the only tab stop.
    expect(input.tabIndex).toBe(-1);
    fireEvent.click(button);
    expect(open).toHaveBeenCalledOnce();
    fireEvent.change(screen.getByLabelText('Or paste rows'), { target: { value: ' \n' } });
    fireEvent.click(screen.getByRole('button', { name: 'Read rows' }));
    expect(screen.getByText('Paste at least one row.')).toBeTruthy();
    expect(onText).not.toHaveBeenCalled();
    cleanup();
    render(<ChooseFile onContent={nothing} error="" pending />);
    expect(document.querySelectorAll('button[aria-busy="true"]')).toHaveLength(2);
  });

  it('takes a file that is dropped, and lets the same one be chosen again', async () => {
    const { onText, input } = show();
    const target = input.parentElement ?? document.body;
    // Otherwise the browser opens the file instead of dropping it.
    expect(fireEvent.dragOver(target)).toBe(false);
    expect(target.className).toContain('bg-accent-soft');
    fireEvent.dragLeave(target);
    expect(target.className).not.toContain('bg-accent-soft');
    fireEvent.dragOver(target);
    expect(fireEvent.drop(target, { dataTransfer: { files: [fileOf(3)] } })).toBe(false);
    expect(target.className).not.toContain('bg-accent-soft');
    await waitFor(() => expect(onText).toHaveBeenCalledOnce());
    const clear = vi.spyOn(input, 'value', 'set');
    choose(input, fileOf(3));
    expect(clear).toHaveBeenCalledExactlyOnceWith('');
  });
});

describe('ReviewFile', () => {
  function show(
    file: Partial<ImportFile>,
    checking: number | null = null,
    encoding: Encoding | null = null,
  ) {
    const onEncoding = vi.fn<(encoding: Encoding) => void>();
    const onChoices = vi.fn<(meanings: Record<string, string>) => void>();
    const full = {
      format: 'csv' as const,
      formatName: 'CSV',
      rows: rowsOf(1),
      losses: [],
      ...file,
    };
    render(
      <MemoryRouter>
        <ReviewFile
          file={full}
          tagNotice=""
          isRemembered={false}
          checking={checking}
          error=""
          encoding={encoding}
          onChoices={onChoices}
          onEncoding={onEncoding}
          onCheck={nothing}
          onBack={nothing}
        />
      </MemoryRouter>,
    );
    const check = screen.getByText('Check rows').closest('button');
    return { onChoices, onEncoding, check };
  }

  it.each([
    [3, 'The rows', 3],
    [4, 'The first 3 rows', 3],
  ])('shows the first rows of %i', (count, title, shown) => {
    show({ rows: rowsOf(count) });
    expect(screen.getByText(title)).toBeTruthy();
    expect(screen.getByRole('table').querySelectorAll('tbody tr')).toHaveLength(shown);
  });

  it.each([
    [10_000, false],
    [10_001, true],
  ])('while the plan is unknown, %i rows are too many: %s', (count, isTooLong) => {
    const { check } = show({ rows: rowsOf(count) });
    expect(check?.disabled).toBe(isTooLong);
    expect(screen.queryByText('Compare plans')).toBeNull();
  });

  it('shows how the file was decoded, and lets another encoding be chosen', () => {
    const { onEncoding } = show({}, null, 'windows-1252');
    const select = screen.getByLabelText<HTMLSelectElement>('Characters read as');
    expect(select.value).toBe('windows-1252');
    fireEvent.change(select, { target: { value: 'utf-8' } });
    expect(onEncoding).toHaveBeenCalledExactlyOnceWith('utf-8');
  });

  it('shows one line for each kind of loss, before anything is checked', () => {
    const losses = [
      { text: 'Title or note that is too long: cut', links: 2 },
      { text: 'Field “ip”: not kept', links: 1 },
    ];
    show({ losses, notice: 'Export the other pages, too.' });
    expect(screen.getByText('Export the other pages, too.')).toBeTruthy();
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Title or note that is too long: cut (2 links)',
      'Field “ip”: not kept (1 link)',
    ]);
  });

  it('checks no file of which no row can be read', () => {
    const unreadable = rowsOf(2).map((row) => Object.assign(row, { problem: 'No.' }));
    expect(show({ rows: unreadable }).check?.disabled).toBe(true);
    expect(screen.getByText('2 rows can’t be read.')).toBeTruthy();
  });

  it('a meaning that another column takes is no longer that of the first', () => {
    const columns = [
      { name: 'a', meaning: 'url' },
      { name: 'b', meaning: null },
      { name: 'c', meaning: 'title' },
    ];
    const { onChoices } = show({ columns });
    fireEvent.change(screen.getByLabelText('b'), { target: { value: 'title' } });
    expect(onChoices).toHaveBeenCalledExactlyOnceWith({ a: 'url', b: 'title', c: 'ignored' });
  });

  it('shows what a row has, and disables everything while rows are checked', () => {
    const rows: ImportRow[] = [
      { line: 1, url: 'https://a.example', code: 'c', title: 'T', tags: ['x', 'y'], clicks: 1200 },
      { line: 2, url: 'https://a.example' },
      { line: 3, url: '', problem: 'No.' },
      { line: 4, url: 'https://a.example' },
    ];
    show({ rows, columns: [{ name: '', meaning: null }] }, 2, 'utf-8');
    expect(screen.getByText('2 of 3 rows checked')).toBeTruthy();
    const lines = [...screen.getByRole('table').querySelectorAll('tbody tr')];
    expect(lines.map((line) => [...line.children].map(({ textContent }) => textContent))).toEqual([
      ['a.example', 'Codec', 'TitleT', 'Tagsx, y', 'Clicks so far1,200'],
      ['a.example', 'CodeNew code', 'Title–', 'Tags–', 'Clicks so far–'],
      ['No.', 'CodeNew code', 'Title–', 'Tags–', 'Clicks so far–'],
    ]);
    expect(screen.getByLabelText<HTMLSelectElement>('Unnamed column').disabled).toBe(true);
    expect(screen.getByLabelText<HTMLSelectElement>('Characters read as').disabled).toBe(true);
    const back = screen.getByRole<HTMLButtonElement>('button', { name: 'Choose another file' });
    expect(back.disabled).toBe(true);
    expect(screen.getByText('Check rows').closest('[aria-busy="true"]')).not.toBeNull();
  });
});

describe('CheckResult', () => {
  const line = (at: number): ImportCheckLine => ({ line: at, verdict: 'new', code: `c${at}` });
  const taken = (at: number): ImportCheckLine => ({
    line: at,
    verdict: 'taken',
    code: `t${at}`,
    suffixed: null,
    error: 'Another link has this code.',
  });
  function show(lines: ImportCheckLine[], room = 100, allowance = 0) {
    const onImport = vi.fn<(choice: string) => void>();
    render(
      <CheckResult
        rows={rowsOf(lines.length)}
        checked={{ lines: new Map(lines.map((one) => [one.line, one])), room, allowance, at: 0 }}
        onImport={onImport}
      />,
    );
    return onImport;
  }

  it('skips rows with a code that is taken, unless another choice is made', () => {
    const onImport = show([line(1), taken(2)]);
    expect(screen.getByText('1 row has a code that can’t be used')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Skip these rows').checked).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: 'Import 1 link' }));
    expect(onImport).toHaveBeenLastCalledWith('skip');
    const texts = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    const row = 'Line 2No codeCode unavailablea.example/1Another link has this code.';
    expect(texts()).toEqual([expect.stringMatching(/^Line 1.*\/c1Newa\.example\/0$/), row]);
    const all = screen.getByRole('button', { name: 'All 2' });
    expect(all.getAttribute('aria-pressed')).toBe('true');
    expect(screen.queryByText(/ of \d+ rows$/)).toBeNull();
    const kind = screen.getByRole('button', { name: 'Code unavailable 1' });
    fireEvent.click(kind);
    expect([texts(), kind.getAttribute('aria-pressed')]).toEqual([[row], 'true']);
    // No row has this kind any more, so all are listed.
    fireEvent.click(screen.getByLabelText('Give them a new code'));
    expect(texts()).toHaveLength(2);
    fireEvent.click(screen.getByRole('button', { name: 'Import 2 links' }));
    expect(onImport).toHaveBeenLastCalledWith('new_code');
  });

  it('counts taken codes beyond the quota, and says how many links it holds', () => {
    show([line(1), line(2), taken(3), taken(4)], 1);
    expect(screen.getByText('2 rows have codes that can’t be used')).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toContain(
      '2 rows would be created. Your quota has room for 1 link this month. The import creates 1 link in the order of the file and leaves out 1 row.',
    );
    cleanup();
    show([line(1), line(2)], 1, 1200);
    expect(screen.queryByRole('radio')).toBeNull();
    expect(screen.getByRole('alert').textContent).toContain(
      'this month, and your plan for 1,200 more links with a code in the file. The import',
    );
  });

  it('imports nothing if no link would be created', () => {
    show([taken(1)]);
    expect(screen.getByText('There is nothing to import.')).toBeTruthy();
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Import links' });
    expect(button.disabled).toBe(true);
    cleanup();
    // A code that two rows have cannot be used twice, whatever the quota holds.
    show([line(1), { line: 2, verdict: 'new', code: 'C1' }], 0);
    expect(screen.getByText('1 row has a code that can’t be used')).toBeTruthy();
  });

  it('lists 50 rows, and 500 more on request, from the start for each kind', () => {
    show([...Array.from({ length: 700 }, (_, at) => line(at + 1)), taken(701)], 1_000);
    const shown = () => document.querySelectorAll('ul[aria-label="Rows"] > li').length;
    expect(shown()).toBe(50);
    fireEvent.click(screen.getByText('Load more'));
    expect(shown()).toBe(550);
    expect(screen.getByText('550 of 701 rows')).toBeTruthy();
    fireEvent.click(screen.getAllByText('New')[0] ?? document.body);
    expect(shown()).toBe(50);
  });
});

describe('ImportRun', () => {
  const job = {
    id: 'j',
    userId: 'u',
    format: 'csv' as const,
    formatName: 'CSV',
    collisions: 'skip' as const,
  };
  const onPause = vi.fn<() => void>();
  const onResume = vi.fn<() => void>();
  const onFinish = vi.fn<() => void>();
  const show = (rows: ImportRow[], lines: ImportLine[], state: ImportJob['state']) => {
    const current: RunningImport = {
      job: { ...job, rows, state },
      lines: new Map(lines.map((line) => [line.line, line])),
      error: '',
    };
    const run = (
      <MemoryRouter>
        <ImportRun
          current={current}
          onPause={onPause}
          onResume={onResume}
          onFinish={onFinish}
          onDiscard={nothing}
        />
      </MemoryRouter>
    );
    return render(run);
  };
  const rows = [...rowsOf(5), { line: 6, url: '', title: 'Spring', problem: 'No.' }];
  const lines: ImportLine[] = [
    { line: 1, verdict: 'created', code: 'a' },
    { line: 2, verdict: 'over_quota', error: '' },
    { line: 3, verdict: 'rejected', error: '' },
    { line: 4, verdict: 'exists', code: 'b' },
  ];

  it('sums up an import, with what is left of it', () => {
    show(rows, lines, 'done');
    expect(screen.getByText('1 already there, 2 not imported, 2 left to import.')).toBeTruthy();
    expect(screen.getByText('Import the other 2 rows')).toBeTruthy();
    expect(screen.getAllByRole('listitem').at(-1)?.textContent).toBe('Line 6SpringUnreadableNo.');
    expect(screen.getByRole('link', { name: 'View links' }).getAttribute('href')).toBe(
      '/dashboard?import=j',
    );
  });

  it('counts only the rows that can be imported', () => {
    show(rows, lines, 'paused');
    expect(screen.getByText('4 of 5 rows')).toBeTruthy();
    const bar = screen.getByRole('progressbar', { name: 'Rows imported' });
    expect([bar.getAttribute('max'), bar.getAttribute('value')]).toEqual(['5', '4']);
  });

  it('stops while it runs, and resumes or finishes once it is stopped', () => {
    const focused = document.body.appendChild(document.createElement('input'));
    focused.focus();
    show(rows, lines, 'running');
    expect(screen.getByText('Importing links from CSV')).toBeTruthy();
    expect(screen.getByText(/^Keep this page open\./)).toBeTruthy();
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Stop import',
    ]);
    fireEvent.click(screen.getByText('Stop import'));
    // A focus elsewhere on the page stays there.
    expect(document.activeElement).toBe(focused);
    focused.remove();
    cleanup();
    show(rows, lines, 'paused');
    expect([onPause, onResume, onFinish].map(({ mock }) => mock.calls.length)).toEqual([1, 0, 0]);
    fireEvent.click(screen.getByText('Resume import'));
    fireEvent.click(screen.getByText('Show result'));
    expect([onPause, onResume, onFinish].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
  });

  it('takes the focus of a button that has gone', () => {
    show(rows, lines, 'paused');
    expect(document.activeElement?.textContent).toContain('The import is stopped');
  });

  it('the result is a file that spreadsheets read as UTF-8', async () => {
    const blobs: (Blob | MediaSource)[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${blobs.push(blob)}`);
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
      this: HTMLAnchorElement,
    ) {
      names.push(this.download);
    });
    show(rows, lines, 'done');
    fireEvent.click(screen.getByText('Download result'));
    const [blob] = blobs;
    const bytes = blob instanceof Blob ? await blob.arrayBuffer() : new ArrayBuffer();
    expect([...new Uint8Array(bytes, 0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(names).toEqual(['hop-import-result.csv']);
    vi.restoreAllMocks();
  });
});
