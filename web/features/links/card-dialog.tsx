import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CardInput, LinkCard, LinkCardResponse } from '#contract/links/link-card.ts';
import { CARD_DESCRIPTION_MAX, CARD_TITLE_MAX } from '#contract/limits.ts';
import type { ListedLink } from '#contract/links/links.ts';
import { api } from '#web/shared/api/api.ts';
import { readableUrl } from '#web/shared/texts/format.ts';
import { serverErrors } from '#web/shared/api/server-errors.ts';
import { useSend } from '#web/shared/api/use-send.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogActions } from '#web/ui/dialog-actions.tsx';
import { Form } from '#web/ui/form.tsx';
import { QueryContent } from '#web/ui/query-content.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { TextareaField, TextField } from '#web/ui/text-field.tsx';
import { useRequired } from '#web/ui/use-required.ts';
import { CardPictureField } from './card-picture-field.tsx';
import { CardPreview } from './card-preview.tsx';
import { LINKS_KEY } from './queries.ts';

const FIELDS = ['title', 'description', 'image'];

const cardPath = ({ short_code }: ListedLink): string =>
  `/api/links/${encodeURIComponent(short_code)}/card`;

type Props = { link: ListedLink; onClose: () => void };

/** Edits what chats and social networks show for a link. */
export function CardDialog({ link, onClose }: Props) {
  const card = useQuery({
    queryKey: [LINKS_KEY, 'card', link.short_code],
    queryFn: async ({ signal }) => (await api<LinkCardResponse>(cardPath(link), { signal })).card,
  });
  return (
    <Dialog open onClose={onClose} title="Preview card" width="reading">
      <p className="mb-4 text-14 text-ink-2">
        What chats and social networks show for{' '}
        <span className="font-mono [overflow-wrap:anywhere]">{readableUrl(link.short_url)}</span>.
        Without a card they show the destination.
      </p>
      <QueryContent
        query={card}
        failure="The card could not be loaded."
        loading="Loading the card…"
        skeleton={<Skeleton className="h-64 w-full" />}
      >
        {(stored) => (
          <CardForm key={stored?.updatedAt} link={link} stored={stored} onClose={onClose} />
        )}
      </QueryContent>
    </Dialog>
  );
}

function CardForm({ link, stored, onClose }: Props & { stored: LinkCard | null }) {
  const [title, setTitle] = useState(stored?.title ?? link.title);
  const [description, setDescription] = useState(stored?.description ?? '');
  const storedImage = stored?.image ?? null;
  const [image, setImage] = useState(storedImage);
  const save = useSend(
    (input: CardInput) => api<LinkCardResponse>(cardPath(link), { method: 'PUT', body: input }),
    [[LINKS_KEY]],
    () => {
      toast('Preview card saved. Networks may show the earlier one for some time.');
      onClose();
    },
  );
  const remove = useSend(
    () => api<LinkCardResponse>(cardPath(link), { method: 'DELETE' }),
    [[LINKS_KEY]],
    () => {
      toast('Preview card removed.');
      onClose();
    },
  );
  const errors = serverErrors(save.error, FIELDS);
  const required = useRequired({ title: title.trim() === '' && 'Enter a title.' });
  const submit = (): void => {
    if (!required.check()) return;
    save.mutate({ title, description, ...(image !== storedImage && { image }) });
  };
  return (
    <Form error={save.error} onSubmit={submit} className="space-y-4">
      <TextField
        label="Title"
        error={required.at('title') || errors.at('title')}
        value={title}
        maxLength={CARD_TITLE_MAX}
        onText={setTitle}
      />
      <TextareaField
        label="Description (optional)"
        error={errors.at('description')}
        value={description}
        rows={2}
        maxLength={CARD_DESCRIPTION_MAX}
        onText={setDescription}
      />
      <CardPictureField image={image} error={errors.at('image') ?? ''} onImage={setImage} />
      <CardPreview
        title={title.trim()}
        description={description.trim()}
        image={image}
        host={new URL(link.long_url).hostname}
        shortHost={new URL(link.short_url).host}
      />
      <DialogActions error={errors.rest || (remove.error?.message ?? '')}>
        {stored !== null && (
          <Button
            variant="ghost"
            className="sm:me-auto"
            pending={remove.isPending}
            onClick={() => remove.mutate()}
          >
            Remove card
          </Button>
        )}
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" pending={save.isPending}>
          Save card
        </Button>
      </DialogActions>
    </Form>
  );
}
