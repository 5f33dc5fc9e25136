import { Pitch } from '#web/features/welcome/pitch.tsx';
import { AdSlot } from '#web/shared/ad-slot.tsx';

/** What Home says below the form. */
export const HomePitch = ({ member }: { member: boolean }) => <Pitch member={member} ad={<AdSlot place="home" />} />;
