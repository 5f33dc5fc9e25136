import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Locator, Page } from '@playwright/test';
import { animateWebp, type Frame } from './animate-webp.ts';
import { drawFrame, startDrawing } from './draw-frame.ts';

/** The size of the page in the film. Below it is a line of text. */
export const VIEWPORT = { width: 1280, height: 720 };
const CAPTION_HEIGHT = 56;
const FILM = { width: VIEWPORT.width, height: VIEWPORT.height + CAPTION_HEIGHT };
const MOVE_STEPS = 7;
const MOVE_STEP_MS = 40;
const TYPED_AT_ONCE = 3;
const TYPE_MS = 80;

const FONT = createRequire(import.meta.url).resolve(
  '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
);

/**
 * Films `page`: pictures at chosen moments, with a pointer and a caption, each shown for a chosen
 * time. So the film is the same on a slow machine. A short one has no movements.
 */
export async function openCamera(
  browser: Browser,
  page: Page,
  { colorScheme, isShort }: { colorScheme: 'light' | 'dark'; isShort: boolean },
) {
  const table = await browser.newPage({ viewport: FILM });
  // Only pages of a trustworthy origin can play films frame by frame.
  await table.route('http://localhost/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
  );
  await table.goto('http://localhost/');
  await table.evaluate(startDrawing, {
    ...FILM,
    pageHeight: VIEWPORT.height,
    isDark: colorScheme === 'dark',
    font: readFileSync(FONT).toString('base64'),
  });
  const frames: Frame[] = [];
  let pointer = { x: VIEWPORT.width * 0.62, y: VIEWPORT.height * 0.8 };
  let caption = '';

  /** Shows the page as it is now for `ms`. */
  async function hold(ms: number): Promise<void> {
    const picture = await page.screenshot({ caret: 'initial' });
    const drawn = await table.evaluate(drawFrame, {
      picture: picture.toString('base64'),
      pointer,
      caption,
    });
    const last = frames.at(-1);
    // A picture like the one before it makes that one longer.
    if (drawn === null && last !== undefined) last.ms += ms;
    else if (drawn !== null) frames.push({ ...drawn, webp: Buffer.from(drawn.webp, 'base64'), ms });
  }

  /** Moves the pointer onto an element. */
  async function moveTo(target: Locator): Promise<void> {
    await target.scrollIntoViewIfNeeded();
    const box = await target.boundingBox();
    if (box === null) throw new Error('What the pointer moves to is not visible.');
    const from = pointer;
    const to = { x: box.x + Math.min(box.width / 2, 120), y: box.y + box.height / 2 };
    const steps = isShort ? 1 : MOVE_STEPS;
    for (let step = 1; step <= steps; step += 1) {
      const part = step / steps;
      const eased = part * part * (3 - 2 * part);
      pointer = { x: from.x + (to.x - from.x) * eased, y: from.y + (to.y - from.y) * eased };
      await page.mouse.move(pointer.x, pointer.y);
      await hold(MOVE_STEP_MS);
    }
  }

  return {
    say: (text: string): void => void (caption = text),
    hold,
    async click(target: Locator): Promise<void> {
      await moveTo(target);
      await hold(150);
      await page.mouse.click(pointer.x, pointer.y);
    },
    async type(target: Locator, text: string): Promise<void> {
      await target.focus();
      const size = isShort ? text.length : TYPED_AT_ONCE;
      for (let start = 0; start < text.length; start += size) {
        await page.keyboard.insertText(text.slice(start, start + size));
        await hold(TYPE_MS);
      }
    },
    /** Ends the recording. The browser plays the film once, to prove that it can. */
    async develop(): Promise<{ film: Uint8Array; seconds: number; frames: number }> {
      const film = animateWebp(frames, FILM);
      const played = await table.evaluate(async (base64) => {
        const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const decoder = new ImageDecoder({ data, type: 'image/webp' });
        await Promise.all([decoder.tracks.ready, decoder.completed]);
        const count = decoder.tracks.selectedTrack?.frameCount ?? 0;
        let us = 0;
        for (let frameIndex = 0; frameIndex < count; frameIndex += 1) {
          const { image } = await decoder.decode({ frameIndex });
          us += image.duration ?? 0;
          image.close();
        }
        return { count, seconds: us / 1_000_000 };
      }, Buffer.from(film).toString('base64'));
      await table.close();
      if (played.count !== frames.length)
        throw new Error(`The film has ${frames.length} frames, but ${played.count} can be played.`);
      return { film, seconds: played.seconds, frames: played.count };
    },
  };
}
