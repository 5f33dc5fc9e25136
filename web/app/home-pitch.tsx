import { Pitch } from '#web/features/welcome/pitch.tsx';
import { AdSlot } from '#web/shared/ad-slot.tsx';
import { ExamplePicture } from './live-picture.tsx';
import { SampleRows } from './sample-rows.tsx';

const SOURCES = [
  ['news.example', 361],
  ['Direct', 304],
  ['mail.example', 184],
  ['social.example', 109],
] as const;

export const HomePitch = () => (
  <>
    <div className="mt-12">
      <ExamplePicture />
    </div>
    <Pitch ad={<AdSlot place="home" />} sources={<SampleRows rows={SOURCES} />} />
  </>
);
