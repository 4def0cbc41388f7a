"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Plus, UserRound } from "lucide-react";
import { useTRPC } from "../../trpc/client";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { errorsOf } from "../../ui/errors-of";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import { PageHeader } from "../../ui/page-header";
import { Pager, useCursor } from "../../ui/pager";
import { Sample } from "../../ui/sample";
import { CharacterCard } from "./character-card";
import { pollWhileBusy } from "./character-status";

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
