"use client";

import { useQuery } from "@tanstack/react-query";
import { FolderHeart, Plus, Star } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "../../../trpc/client";
import type { Outputs } from "../../../trpc/outputs";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { BackLink, Link } from "../../../ui/link";
import { Notice } from "../../../ui/notice";
import { PageHeader } from "../../../ui/page-header";
import { FIRST_TILES, Square } from "../generation-grid";
import type { GenerationSummary } from "../types";
import { NewCollection } from "./new-collection";

type CollectionSummary = Outputs["collections"]["list"][number];

/** Shows the collections of the account, each by its newest generation. */
export function Collections() {
  const trpc = useTRPC();
  const { data: collections } = useQuery(trpc.collections.list.queryOptions({}));
  const { data: covers = [] } = useQuery(trpc.collections.covers.queryOptions());
  const [isCreating, setCreating] = useState(false);
  if (!collections) return null;
  const create = (
    <Button needs="develop" kind="primary" onClick={() => setCreating(true)}>
      <Plus size={16} aria-hidden />
      Create collection
    </Button>
  );
  const coverOf = ({ id }: CollectionSummary) => covers.find(({ collection }) => collection === id)?.generation;
  return (
    <>
      <BackLink href="/generations">Generations</BackLink>
      <PageHeader title="Collections" action={collections.length > 0 && create}>
        Generations that belong together. Everybody in this account sees them.
      </PageHeader>
      {collections.length === 0 ? (
        <Notice title="No collections yet" icon={<FolderHeart size={20} />} action={create}>
          Create one here, or choose <b>Add to collection</b> for generations in the list or beside a result.
        </Notice>
      ) : (
        <ul aria-label="Collections" className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-4">
          {collections.map((one, index) => (
            <Tile key={one.id} collection={one} cover={coverOf(one)} isFirst={index < FIRST_TILES} />
          ))}
        </ul>
      )}
      <p className="mt-6 text-sm text-soft">
        <Link href="/generations?favourites=yes" className="inline-flex items-center gap-1.5 underline">
          <Star size={14} aria-hidden />
          Favourites
        </Link>
      </p>
      <Dialog open={isCreating} onOpenChange={setCreating} title="Create a collection">
        <NewCollection onCreated={() => setCreating(false)} />
      </Dialog>
    </>
  );
}

interface TileProps {
  collection: CollectionSummary;
  cover?: GenerationSummary;
  isFirst: boolean;
}

const Tile = ({ collection: { id, name, items }, cover, isFirst }: TileProps) => (
  <li className="min-w-0">
    <Link href={`/generations/collections/${id}`} className="grid gap-1.5 rounded-lg">
      {cover ? (
        <Square generation={cover} isFirst={isFirst} />
      ) : (
        <span className="grid aspect-square place-items-center rounded-lg border border-dashed border-strong-line text-soft">
          <FolderHeart size={24} aria-hidden />
        </span>
      )}
      <span className="grid min-w-0 leading-5">
        <span className="truncate text-sm font-medium">{name}</span>
        <span className="text-xs text-soft">{countItems(items)}</span>
      </span>
    </Link>
  </li>
);

const countItems = (items: number): string => (items === 1 ? "1 generation" : `${items} generations`);
