/** Which of the texts below a control describe it: those with the ids `<id>-error` and `<id>-hint`. */
export const describedBy = (
  id: string,
  texts: { error: boolean; hint: boolean },
): string | undefined =>
  (['error', 'hint'] as const)
    .filter((name) => texts[name])
    .map((name) => `${id}-${name}`)
    .join(' ') || undefined;
