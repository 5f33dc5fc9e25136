import { Menu } from '@base-ui/react/menu';
import { clsx } from 'clsx';
import { useRef, type ReactNode, type RefObject } from 'react';
import { Link } from './link.tsx';

/** `disabled` is the reason why the item cannot be chosen, shown below its label. */
export type MenuItem = {
  label: string;
  icon?: ReactNode;
  danger?: boolean;
  disabled?: string;
} & ({ onSelect: () => void } | { to: string } | MenuChoice);

/** One of a few values, side by side in the menu, which stays open. */
type MenuChoice = {
  choices: readonly { value: string; label: string; icon: ReactNode }[];
  value: string;
  onChoose: (value: string) => void;
};

export type MenuPopupProps = {
  id: string;
  label: string;
  items: readonly MenuItem[];
  heading: ReactNode;
  /** The item that first has the focus. A menu opened with the pointer focuses none. */
  start: 'none' | 'first' | 'last';
  button: RefObject<HTMLButtonElement | null>;
  /**
   * The menu is beside the button, so that it is in the same landmark and next in the tab order.
   */
  container: RefObject<HTMLElement | null>;
  onClose: () => void;
};

const itemClass = (danger = false): string =>
  clsx(
    'flex h-9 w-full cursor-pointer items-center gap-2.5 rounded-sm px-2.5 text-start text-14 outline-none select-none data-disabled:h-auto data-disabled:cursor-not-allowed data-disabled:flex-col data-disabled:items-start data-disabled:gap-0.5 data-disabled:py-2 data-disabled:text-ink-3 data-highlighted:bg-hover active:bg-pressed pointer-coarse:h-11 [&>svg]:size-4',
    danger ? 'text-bad' : 'text-ink',
  );

/**
 * The open menu of a `Menu` button. It stays inside the window, and typing a letter finds an item.
 */
export function MenuPopup({
  id,
  label,
  items,
  heading,
  start,
  button,
  container,
  onClose,
}: MenuPopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  const onOpened = (): void => {
    // These elements forward the focus. Because they can receive it, they must not be hidden from
    // assistive technology.
    for (const guard of container.current?.querySelectorAll('[data-base-ui-focus-guard]') ?? [])
      guard.removeAttribute('aria-hidden');
    const entries = popup.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [];
    if (start !== 'none') entries[start === 'first' ? 0 : entries.length - 1]?.focus();
  };
  return (
    <Menu.Root
      open
      modal={false}
      onOpenChange={(_, details) => {
        const { target } = details.event;
        // The button closes its menu itself. If both did, the menu would open again.
        if (
          target instanceof Node &&
          button.current?.contains(target) === true &&
          details.reason === 'outside-press'
        )
          details.cancel();
        else onClose();
      }}
      onOpenChangeComplete={onOpened}
    >
      <Menu.Portal container={container}>
        <Menu.Positioner
          anchor={button}
          side="bottom"
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 outline-none"
        >
          <Menu.Popup
            ref={popup}
            id={id}
            aria-label={label}
            finalFocus={button}
            className="max-h-(--available-height) max-w-(--available-width) min-w-44 animate-appear overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-float outline-none"
          >
            {heading !== undefined && (
              <div className="mb-1 border-b border-line px-2.5 pt-1.5 pb-2">{heading}</div>
            )}
            {items.map((item) =>
              'choices' in item ? (
                <Choice key={item.label} {...item} />
              ) : 'to' in item ? (
                <Menu.LinkItem
                  key={item.label}
                  closeOnClick
                  render={<Link to={item.to} />}
                  className={itemClass(item.danger)}
                >
                  {item.icon}
                  {item.label}
                </Menu.LinkItem>
              ) : (
                <Menu.Item
                  key={item.label}
                  label={item.label}
                  onClick={item.onSelect}
                  disabled={item.disabled !== undefined}
                  className={itemClass(item.danger)}
                >
                  {item.icon}
                  {item.label}
                  {item.disabled !== undefined && (
                    <span className="block max-w-56 text-12 whitespace-normal">
                      {item.disabled}
                    </span>
                  )}
                </Menu.Item>
              ),
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function Choice({ label, choices, value, onChoose }: MenuChoice & { label: string }) {
  return (
    <Menu.RadioGroup
      aria-label={label}
      value={value}
      onValueChange={onChoose}
      className="flex h-9 items-center gap-1 px-2.5 text-14 pointer-coarse:h-11"
    >
      <span aria-hidden="true" className="me-auto pe-4 text-ink-3">
        {label}
      </span>
      {choices.map((choice) => (
        <Menu.RadioItem
          key={choice.value}
          value={choice.value}
          aria-label={choice.label}
          data-tooltip={choice.label}
          className="inline-flex size-8 cursor-pointer items-center justify-center rounded-sm text-ink-3 outline-none data-checked:bg-pressed data-checked:text-ink data-highlighted:bg-hover data-highlighted:outline-2 data-highlighted:-outline-offset-2 data-highlighted:outline-accent pointer-coarse:size-11 forced-colors:data-checked:outline-2 [&>svg]:size-4"
        >
          {choice.icon}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
