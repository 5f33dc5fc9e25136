/** A tab or an entry of the navigation: the selected one is underlined. */
export const viewClass = (isSelected: boolean): string =>
  `border-b-2 transition-colors duration-150 ${
    isSelected
      ? 'border-ink text-ink forced-colors:border-[Highlight]'
      : 'border-transparent text-ink-3 hover:bg-hover hover:text-ink forced-colors:border-[Canvas]'
  }`;

/** One of several options, often the label around a radio button: the selected one is tinted. */
export const optionClass = (isSelected: boolean): string =>
  `transition-colors duration-150 has-focus-visible:outline-2 has-focus-visible:outline-accent ${
    isSelected
      ? 'bg-accent-soft text-ink forced-colors:bg-[Highlight] forced-colors:text-[HighlightText] forced-colors:forced-color-adjust-none'
      : 'text-ink-2 hover:bg-hover hover:text-ink active:bg-pressed'
  }`;
