"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Plus, UserRound } from "lucide-react";
import { useTRPC } from "../../trpc/client";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { errorsOf } from "../../ui/errors-of";
import { Link } from "../../ui/link";
import { Money } from "../../ui/money";
import { Notice } from "../../ui/notice";
import { PageHeader } from "../../ui/page-header";
import { Pager, useCursor } from "../../ui/pager";
import { ProgressBar } from "../../ui/progress-bar";
import { Sample } from "../../ui/sample";
import { TimeAgo } from "../../ui/values";
import { CharacterBadge, pollWhileBusy } from "./character-status";
import { Picture } from "./picture";
import type { CharacterSummary } from "./types";

const create = (
  <Button needs="develop" asChild kind="primary">
    <Link href="/characters/new">
      <Plus size={16} aria-hidden />
      Create character
    </Link>
  </Button>
);

const sample = (
  <Sample
    icon={<UserRound size={18} />}
    title="Ada"
    detail="8 pictures · trigger word ada42"
    end={<Badge tone="good">Ready</Badge>}
  />
);

export function Characters() {
  const pager = useCursor();
  const { data, error, refetch } = useQuery({
    ...useTRPC().characters.list.queryOptions({ cursor: pager.cursor }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: "always",
    refetchInterval: ({ state }) => state.data && pollWhileBusy(state.data.data),
  });
  const isEmpty = data?.data.length === 0 && pager.isFirst;
  return (
    <>
      <PageHeader title="Characters" action={!isEmpty && create}>
        Train a person, thing or style from pictures and use it in other generations. Training is charged like any
        generation, and the result is kept until you delete the character.
      </PageHeader>
      {data && !isEmpty && (
        <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {data.data.map((character) => (
            <CharacterCard key={character.id} character={character} />
          ))}
        </ul>
      )}
      {isEmpty && (
        <Card>
          <Notice title="No characters yet" icon={<UserRound size={20} />} sample={sample} action={create}>
            Add a few pictures of the same person, thing or style, then use the character in other generations.
          </Notice>
        </Card>
      )}
      {!data && (
        <Notice title="The list could not be loaded" action={<Button onClick={() => void refetch()}>Try again</Button>}>
          {errorsOf(error)?.message}
        </Notice>
      )}
      <div className="mt-4">
        <Pager pager={pager} next={data?.next_cursor} />
      </div>
    </>
  );
}

/** Shows a summary of a character in the list. */
function CharacterCard({ character }: { character: CharacterSummary }) {
  const { id, name, status, base_model, progress, images, updated_at } = character;
  return (
    <li className="relative grid min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] overflow-hidden rounded-xl border border-line bg-raised hover:border-strong-line">
      <Thumbnails character={character} />
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-2 p-4">
        <div className="flex items-center justify-between gap-3">
          <h2 className="min-w-0 truncate text-sm font-semibold">
            {/* The whole card is a link. */}
            <Link href={`/characters/${id}`} className="after:absolute after:inset-0 hover:underline">
              {name}
            </Link>
          </h2>
          <CharacterBadge status={status} />
        </div>
        {status === "running" && <ProgressBar share={progress} label={`Progress of ${name}`} />}
        <p className="truncate text-xs text-soft">
          {base_model} · {images.length === 1 ? "1 picture" : `${images.length} pictures`}
        </p>
        <p className="flex justify-between gap-3 text-xs text-soft">
          <Cost character={character} />
          <TimeAgo at={updated_at} />
        </p>
      </div>
    </li>
  );
}

/** Shows the billed cost, or the maximum cost until it is known. */
function Cost({ character: { billed_cost, estimated_cost } }: { character: CharacterSummary }) {
  if (billed_cost !== null) return <Money euros={billed_cost} className="text-ink" />;
  if (estimated_cost === null) return <span>—</span>;
  return (
    <span>
      ≤ <Money euros={estimated_cost} />
    </span>
  );
}

/** Shows up to four of the character's pictures. */
const Thumbnails = ({ character: { pictures } }: { character: CharacterSummary }) => (
  <div className="grid h-32 auto-cols-[minmax(0,1fr)] grid-flow-col gap-px border-b border-line bg-line">
    {pictures.length > 0 ? (
      pictures.map(({ file }, index) => <Picture key={index} file={file} />)
    ) : (
      <span className="grid place-items-center bg-sunken text-xs text-soft">No pictures yet</span>
    )}
  </div>
);
