import { ImagePlus, Trash2 } from 'lucide-react';
import { useId, useRef, useState, type DragEvent } from 'react';
import { CARD_HEIGHT, CARD_WIDTH } from '#contract/limits.ts';
import { formatNumber } from '#contract/language.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';
import { cropPicture, isBlurred, slackOf } from './crop-picture.ts';

const FILE_MAX_BYTES = 20_000_000;
const TYPES = 'image/jpeg,image/png,image/webp,image/avif,image/gif';

type Decoded = { ok: true; picture: ImageBitmap } | { ok: false; message: string };

async function decode(file: File): Promise<Decoded> {
  if (file.size > FILE_MAX_BYTES)
    return { ok: false, message: 'This file is larger than 20 MB. Choose a smaller one.' };
  try {
    return { ok: true, picture: await createImageBitmap(file) };
  } catch {
    return { ok: false, message: 'This file is not a picture that your browser can show.' };
  }
}

/** `image` is the address of the card's picture, or its new one as a `data:` URL; null for none. */
export function CardPictureField({
  image,
  error,
  onImage,
}: {
  image: string | null;
  error: string;
  onImage: (image: string | null) => void;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [picture, setPicture] = useState<ImageBitmap | null>(null);
  const [position, setPosition] = useState(0.5);
  const [isOver, setIsOver] = useState(false);
  const move = (chosen: ImageBitmap, to: number): void => {
    setPosition(to);
    onImage(cropPicture(chosen, to));
  };
  const read = useAsyncAction(decode, (result: Decoded) => {
    if (!result.ok) return;
    setPicture(result.picture);
    move(result.picture, 0.5);
  });
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) read.run(file);
  };
  const slack = picture === null ? 'none' : slackOf(picture);
  const message = read.data?.ok === false ? read.data.message : error;
  return (
    <fieldset aria-describedby={`${id}-hint`} className="min-w-0">
      <legend className="mb-1.5 text-13 font-medium">Picture (optional)</legend>
      <div
        className={`flex flex-wrap items-center gap-2 rounded-md border border-dashed p-3 ${isOver ? 'border-accent bg-raised' : 'border-line'}`}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <input
          ref={input}
          type="file"
          hidden
          accept={TYPES}
          aria-label="Picture file"
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file !== undefined) read.run(file);
            // Without this, the same file could not be chosen again.
            event.target.value = '';
          }}
        />
        <Button ref={button} pending={read.pending} onClick={() => input.current?.click()}>
          <ImagePlus className="size-4" />
          {image === null ? 'Choose picture' : 'Replace picture'}
        </Button>
        {image === null ? (
          <span className="text-13 text-ink-3 pointer-coarse:hidden">or drop it here</span>
        ) : (
          <Button
            variant="ghost"
            onClick={() => {
              setPicture(null);
              onImage(null);
              read.reset();
              button.current?.focus();
            }}
          >
            <Trash2 className="size-4" />
            Remove picture
          </Button>
        )}
        {picture !== null && slack !== 'none' && (
          <label className="flex w-full items-center gap-3 text-13 text-ink-2">
            {slack === 'across' ? 'Part, from left to right' : 'Part, from top to bottom'}
            <input
              type="range"
              min={0}
              max={100}
              step={5}
              value={Math.round(position * 100)}
              className="min-w-0 flex-1 accent-accent"
              onChange={(event) => move(picture, Number(event.target.value) / 100)}
            />
          </label>
        )}
      </div>
      <ErrorText className="mt-1.5">{message}</ErrorText>
      <p id={`${id}-hint`} className="mt-1.5 text-13 text-ink-3">
        {picture !== null && isBlurred(picture)
          ? `This picture is small and will look blurred. Best are ${formatNumber(CARD_WIDTH)} × ${CARD_HEIGHT} pixels or more.`
          : `Networks show ${formatNumber(CARD_WIDTH)} × ${CARD_HEIGHT} pixels. The picture is cut to that here, and its metadata is removed.`}
      </p>
    </fieldset>
  );
}
