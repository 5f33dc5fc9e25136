import { SettingFields, type SettingsProps } from './setting-fields.tsx';
import { TagField } from './tag-field.tsx';

export type TagProps = {
  tags: readonly string[];
  onTags: (tags: string[]) => void;
  tagError: string | undefined;
};

/** The fields of a link's form that many links need: end date, title, tags and note. */
export const LinkDetails = ({ tags, onTags, tagError, ...settings }: SettingsProps & TagProps) => (
  <>
    <SettingFields place="above tags" {...settings} />
    <TagField label="Tags (optional)" names={tags} error={tagError} onChange={onTags} />
    <SettingFields place="below tags" {...settings} />
  </>
);
