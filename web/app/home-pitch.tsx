import { Pitch } from '#web/features/welcome/pitch.tsx';
import { AdSlot } from '#web/shared/ad-slot.tsx';
import { SampleRows } from './sample-rows.tsx';

const SOURCES = [
  ['news.example', 361],
  ['Direct', 304],
  ['mail.example', 184],
  ['social.example', 109],
] as const;

export const HomePitch = ({ member }: { member: boolean }) => (
  <Pitch member={member} ad={<AdSlot place="home" />} sources={<SampleRows rows={SOURCES} />} />
);
