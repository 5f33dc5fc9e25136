import { Tooltip } from '@base-ui/react/tooltip';

type TooltipProps = { anchor: HTMLElement | null; text: string; onClose: () => void };

export function TooltipPopup({ anchor, text, onClose }: TooltipProps) {
  return (
    <Tooltip.Root open onOpenChange={onClose}>
      <Tooltip.Portal>
        <Tooltip.Positioner
          anchor={anchor}
          side="top"
          sideOffset={6}
          collisionPadding={8}
          className="z-60"
        >
          <Tooltip.Popup
            data-tooltip-popup=""
            className="max-w-[min(24rem,var(--available-width))] animate-appear rounded-md border border-line bg-raised px-2 py-1 text-13 text-ink-2 shadow-float [overflow-wrap:anywhere]"
          >
            {text}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
