import { useState } from 'react';
import { config } from '#web/shared/page/config.ts';
import { Badge } from '#web/ui/badge.tsx';
import { ClicksPicture } from './clicks-picture.tsx';
import { EXAMPLE_COUNTRIES, makeExampleClicks } from './example-clicks.ts';

/** The picture with example data, for readers who have no links yet. */
export function LiveClicksExample() {
  const [shown] = useState(() => ({
    clicks: makeExampleClicks(Date.now(), config.shortOrigin),
    countries: EXAMPLE_COUNTRIES,
  }));
  return (
    <ClicksPicture
      title="Every click, as it lands"
      hint={
        <>
          <Badge>Example</Badge> Ten minutes of a shop’s links.
        </>
      }
      shown={shown}
      complete
      isOwn={false}
    />
  );
}
