import { Share2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { TAG_NAME_MAX } from '#contract/limits.ts';
import { TAG_COLORS, type Tag } from '#contract/links/tags.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Input, Select } from '#web/ui/input.tsx';
import { useTags } from '#web/shared/link-settings/use-tags.ts';
import { isOffline, useRetryOnline } from '#web/ui/offline.ts';
import { QueryContent } from '#web/ui/query-content.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { TagDot } from './tag-badge.tsx';
import { useChangeTag } from './queries.ts';
import { ErrorText } from '#web/ui/error-text.tsx';

export function TagsDialog({
  onShare,
  onClose,
}: {
  /** Opens the form that shares a report of a tag. */
  onShare: (tag: Tag) => void;
  onClose: () => void;
}) {
  const tags = useTags();
  return (
    <Dialog open onClose={onClose} title="Manage tags" closeLabel="Done" width="reading">
      <QueryContent
        query={tags}
        failure="Your tags could not be loaded."
        loading="Loading your tags…"
        skeleton={<Skeleton className="h-24 w-full" />}
      >
        {(all) =>
          all.length === 0 ? (
            <p className="text-14 text-ink-2">
              You have no tags yet. Add one with “Edit link” in the menu of a link.
            </p>
          ) : (
            <ul className="max-h-96 divide-y divide-line overflow-y-auto rounded-md border border-line">
              {all.map((tag) => (
                <TagRow
                  key={tag.id}
                  tag={tag}
                  others={all.filter(({ id }) => id !== tag.id)}
                  onShare={() => onShare(tag)}
                />
              ))}
            </ul>
          )
        }
      </QueryContent>
    </Dialog>
  );
}

function TagRow({
  tag,
  others,
  onShare,
}: {
  tag: Tag;
  others: readonly Tag[];
  onShare: () => void;
}) {
  const [name, setName] = useState(tag.name);
  const [confirming, setConfirming] = useState(false);
  const change = useChangeTag();
  const rename = (): void => {
    const newName = name.trim();
    if (newName === '') setName(tag.name);
    else if (newName !== tag.name) change.mutate({ id: tag.id, name: newName });
  };
  useRetryOnline(isOffline(change.error), rename);
  const remove = (): void =>
    change.mutate(
      { id: tag.id, isDeleted: true },
      { onSuccess: () => toast(`Tag “${tag.name}” deleted.`) },
    );
  const merge = (into: number): void => {
    const target = others.find(({ id }) => id === into);
    change.mutate(
      { id: tag.id, into },
      { onSuccess: () => toast(`Tag “${tag.name}” merged into “${target?.name ?? ''}”.`) },
    );
  };
  return (
    <li className="space-y-2 p-3">
      {/* On a phone the color and the merge menu are on a second line. */}
      <div className="flex items-center gap-2 max-sm:flex-wrap">
        <TagDot color={tag.color} />
        <div className="min-w-0 flex-1 max-sm:basis-3/5">
          <Input
            aria-label={`Name of the tag ${tag.name}`}
            value={name}
            maxLength={TAG_NAME_MAX}
            onChange={(event) => setName(event.target.value)}
            onBlur={rename}
            onKeyDown={(event) => event.key === 'Enter' && rename()}
          />
        </div>
        <Select
          className="w-28! max-sm:order-1 max-sm:flex-[2_1_35%]"
          aria-label={`Color of the tag ${tag.name}`}
          value={tag.color}
          choices={TAG_COLORS.map((color) => [color, color[0]?.toUpperCase() + color.slice(1)])}
          onSelect={(value) => {
            const color = TAG_COLORS.find((known) => known === value);
            if (color !== undefined) change.mutate({ id: tag.id, color });
          }}
        />
        {others.length > 0 && <MergeSelect tag={tag} others={others} onMerge={merge} />}
        <Button
          variant="ghost"
          className="w-9 px-0! pointer-coarse:w-11"
          aria-label={`Share a report of the tag ${tag.name}`}
          onClick={onShare}
        >
          <Share2 className="size-4" />
        </Button>
        <Button
          variant="ghost"
          className="w-9 px-0! pointer-coarse:w-11"
          aria-label={`Delete the tag ${tag.name}`}
          onClick={() => setConfirming(true)}
        >
          <Trash2 className="size-4" />
        </Button>
      </div>
      {confirming && (
        <DeleteConfirmation
          pending={change.isPending}
          onCancel={() => setConfirming(false)}
          onConfirm={remove}
        />
      )}
      <ErrorText>{change.error?.message}</ErrorText>
    </li>
  );
}

function DeleteConfirmation({
  pending,
  onCancel,
  onConfirm,
}: {
  pending: boolean;
  onCancel: () => void;
  onConfirm: () => void;
}) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-2 text-13 text-ink-2">
      <p className="flex-1">Take this tag off all its links and delete it? The links stay.</p>
      <Button size="sm" onClick={onCancel}>
        Cancel
      </Button>
      <Button size="sm" variant="danger" pending={pending} onClick={onConfirm}>
        Delete tag
      </Button>
    </div>
  );
}

function MergeSelect({
  tag,
  others,
  onMerge,
}: {
  tag: Tag;
  others: readonly Tag[];
  onMerge: (into: number) => void;
}) {
  return (
    <Select
      className="w-36! max-sm:order-1 max-sm:flex-[3_1_50%]"
      aria-label={`Merge the tag ${tag.name} into`}
      value=""
      choices={[['', 'Merge into…'], ...others.map((other) => [other.id, other.name] as const)]}
      onSelect={(id) => onMerge(Number(id))}
    />
  );
}
