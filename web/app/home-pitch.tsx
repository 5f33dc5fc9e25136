import { Pitch } from '#web/features/welcome/pitch.tsx';
import { AdSlot } from '#web/shared/ad-slot.tsx';
import { SampleRows } from './sample-rows.tsx';

const SOURCES = [
  ['news.example', 318],
  ['Direct or unknown', 271],
  ['mail.example', 164],
  ['social.example', 97],
] as const;

export const HomePitch = () => (
  <Pitch ad={<AdSlot place="home" />} sources={<SampleRows rows={SOURCES} />} />
);
