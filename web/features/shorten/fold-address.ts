const READ_MS = 140;
const FOLD_MS = 320;
const STAGGER_MS = 18;

/**
 * Shows `address` in place of the short URL in `line`, and folds it into the letters of the code: a
 * piece of the address for each letter. Only transforms and opacity move, and the short URL is in
 * the document all the time. Does nothing where the visitor wants no motion.
 */
export function foldAddress(line: HTMLElement, address: string): void {
  const code = line.querySelector('a > span:last-child')?.firstChild;
  if (!(code instanceof Text) || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const letters = Array.from(code.data, (_, i) => rectOf(code, i));
  const [first] = letters;
  if (first === undefined || first.width === 0) return;
  const frame = line.getBoundingClientRect();
  const visible = address.slice(0, Math.floor(frame.width / first.width));
  const pieceLength = Math.ceil(visible.length / letters.length);

  const ghost = document.createElement('span');
  ghost.setAttribute('aria-hidden', 'true');
  ghost.dir = 'ltr';
  ghost.className =
    'pointer-events-none absolute inset-0 overflow-hidden whitespace-pre text-ink-3';
  line.append(ghost);
  const folds = letters.map((letter, i) => {
    const piece = document.createElement('span');
    piece.className = 'absolute top-0 origin-top-left';
    piece.textContent = visible.slice(i * pieceLength, (i + 1) * pieceLength);
    const left = i * pieceLength * first.width;
    piece.style.left = `${left}px`;
    ghost.append(piece);
    const x = letter.left - frame.left - left;
    const y = letter.top - frame.top;
    return piece.animate(
      [
        { transform: 'none', opacity: 1 },
        { opacity: 1, offset: 0.7 },
        { transform: `translate(${x}px, ${y}px) scaleX(${1 / pieceLength})`, opacity: 0 },
      ],
      {
        delay: READ_MS + i * STAGGER_MS,
        duration: FOLD_MS,
        easing: 'cubic-bezier(0.5, 0, 0.2, 1)',
        fill: 'both',
      },
    ).finished;
  });
  const total = READ_MS + FOLD_MS + letters.length * STAGGER_MS;
  line.firstElementChild?.animate([{ opacity: 0 }, { opacity: 0, offset: 0.6 }, { opacity: 1 }], {
    duration: total,
  });
  void Promise.allSettled(folds).then(() => ghost.remove());
}

function rectOf(text: Text, index: number): DOMRect {
  const range = document.createRange();
  range.setStart(text, index);
  range.setEnd(text, index + 1);
  return range.getBoundingClientRect();
}
