import { Dialog } from '#web/ui/dialog.tsx';

type Keys = readonly [keys: readonly string[], what: string];
const GROUPS: readonly { title: string; keys: readonly Keys[] }[] = [
  {
    title: 'Everywhere',
    keys: [
      [['⌘', 'K'], 'Search links and commands (Ctrl K on Windows and Linux)'],
      [['c'], 'Create a link'],
      [['?'], 'Show this list'],
      [['Esc'], 'Close a dialog or a menu'],
    ],
  },
  {
    title: 'My URLs',
    keys: [
      [['/'], 'Search'],
      [['j', 'k'], 'Next and previous link, like the arrow keys'],
      [['Enter'], 'Open the analytics of the link'],
      [['x'], 'Select the link'],
      [['e'], 'Edit the link'],
      [['Esc'], 'Clear the selection'],
    ],
  },
  {
    title: 'Analytics',
    keys: [
      [['d'], 'Show the last 24 hours'],
      [['w'], 'Show the last 7 days'],
      [['m'], 'Show the last 30 days'],
    ],
  },
];

export function KeyList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Keys" closeLabel="Close">
      <div className="space-y-5">
        {GROUPS.map(({ title, keys }) => (
          <section key={title}>
            <h3 className="text-13 font-medium text-ink-2">{title}</h3>
            <dl className="mt-1 divide-y divide-line">
              {keys.map(([names, what]) => (
                <div key={what} className="flex items-baseline gap-4 py-2 text-14">
                  <dt className="flex w-20 shrink-0 gap-1">
                    {names.map((name) => (
                      <kbd
                        key={name}
                        className="min-w-6 rounded-sm border border-line px-1.5 py-0.5 text-center font-mono text-12"
                      >
                        {name}
                      </kbd>
                    ))}
                  </dt>
                  <dd className="min-w-0">{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
