"use client";

import { Layers, MessageSquareText, Sparkles } from "lucide-react";
import dynamic from "next/dynamic";
import { type KeyboardEvent, type MouseEvent, useState } from "react";
import { FileThumbnail } from "../../ui/file-thumbnail";
import { Link } from "../../ui/link";
import { ownPath } from "../../ui/own-path";
import { type Selection, SelectRow } from "../../ui/selection";
import { StatusBadge } from "../../ui/badge";
import { partNotLoaded } from "../../ui/part-not-loaded";
import { Count } from "../../ui/values";
import { BatchProgress, BatchStatus, countAll } from "../batches/batch-progress";
import type { Batch } from "../batches/types";
import { isAvailable } from "./is-available";
import { mergeRows } from "./list-rows";
import type { LightboxItem } from "./lightbox";
import { StarButton } from "./favourites/star-button";
import { TileExcerpt, TileText } from "./tile-text";
import type { GenerationSummary } from "./types";

const Lightbox = dynamic(() => import("./lightbox").then((module) => module.Lightbox, partNotLoaded), { ssr: false });

interface Props {
  generations: GenerationSummary[];
  /** Batches that stand for their generations. */
  batches?: Batch[];
  /** Tiles have a checkbox if it is given. */
  selection?: Selection;
}

/** Shows generations as a grid. Arrow keys move between the tiles; a click opens the output in full. */
export function GenerationGrid({ generations, batches = [], selection }: Props) {
  const [openId, setOpenId] = useState<string | null>(null);
  return (
    <>
      <ul
        aria-label="Generations"
        className="grid grid-cols-2 gap-3 p-4 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-5"
        onKeyDown={moveFocus}
      >
        {mergeRows(generations, batches).map((row, index) =>
          row.generation ? (
            <Tile
              key={row.generation.id}
              generation={row.generation}
              isFirst={index < FIRST_TILES}
              selection={selection}
              onOpen={setOpenId}
            />
          ) : (
            <BatchTile key={row.batch.id} batch={row.batch} />
          ),
        )}
      </ul>
      {openId !== null && <Lightbox items={generations.flatMap(toItem)} openId={openId} onOpen={setOpenId} />}
    </>
  );
}

/** Returns the lightbox item of a generation, in a list that is empty if its output cannot be shown. */
function toItem({ id, title, model, output, output_count }: GenerationSummary): LightboxItem[] {
  if (!isAvailable(output)) return [];
  const href = `/generations/${id}`;
  const note = output_count > 1 ? `first of ${output_count} outputs` : undefined;
  return [{ id, title: title ?? id, detail: model, note, output, openerHref: href, generationId: id }];
}

interface TileProps {
  generation: GenerationSummary;
  isFirst: boolean;
  selection?: Selection;
  onOpen: (id: string) => void;
}

function Tile({ generation, isFirst, selection, onOpen }: TileProps) {
  const { id, title, model, status, output, output_count } = generation;
  const open = (event: MouseEvent) => {
    // Clicks that open a new tab follow the link.
    if (!isAvailable(output) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(id);
  };
  return (
    <li className="group relative min-w-0">
      <Link href={`/generations/${id}`} onClick={open} className="grid gap-1.5 rounded-lg">
        <Square generation={generation} isFirst={isFirst} />
        <span className="grid min-w-0 leading-5">
          <span className="truncate text-sm font-medium">{title ?? id}</span>
          <span className="truncate text-xs text-soft">{model}</span>
        </span>
        {status !== "succeeded" && (
          <span className="absolute top-2 right-2">
            <StatusBadge status={status} />
          </span>
        )}
        {output_count > 1 && (
          <span className="absolute top-2 right-2 flex items-center gap-1 rounded-md bg-raised px-1.5 text-xs text-ink">
            <Layers size={12} aria-hidden />
            {output_count}
            <span className="sr-only"> outputs</span>
          </span>
        )}
      </Link>
      <span className="absolute right-1 bottom-[3.1rem] rounded-md bg-raised opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 has-aria-pressed:opacity-100 pointer-coarse:opacity-100">
        <StarButton id={id} title={title ?? id} />
      </span>
      {selection && (
        <span className="absolute top-1 left-1 rounded-md bg-raised opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 has-checked:opacity-100 pointer-coarse:opacity-100">
          <SelectRow selection={selection} id={id} label={title ?? id} />
        </span>
      )}
    </li>
  );
}

const BatchTile = ({ batch }: { batch: Batch }) => (
  <li className="relative min-w-0">
    <Link href={`/batches/${batch.id}`} className="grid gap-1.5 rounded-lg">
      <span className="grid aspect-square content-center gap-3 rounded-lg border border-line bg-sunken p-4 text-soft">
        <Layers size={24} aria-hidden className="justify-self-center" />
        <BatchProgress batch={batch} />
      </span>
      <span className="grid min-w-0 leading-5">
        <span className="truncate text-sm font-medium">
          Batch of <Count value={countAll(batch)} />
        </span>
        <span className="truncate text-xs text-soft">{batch.model}</span>
      </span>
      {batch.status !== "completed" && (
        <span className="absolute top-2 right-2">
          <BatchStatus batch={batch} />
        </span>
      )}
    </Link>
  </li>
);

/** As many tiles as a phone shows without scrolling load their pictures with the page. */
export const FIRST_TILES = 4;

/** Shows the output of a generation, or an icon, in a square. */
export function Square({ generation, isFirst }: { generation: GenerationSummary; isFirst: boolean }) {
  const { output, is_llm, title } = generation;
  const Icon = is_llm ? MessageSquareText : Sparkles;
  return (
    <span className="grid aspect-square overflow-hidden rounded-lg border border-line bg-sunken *:size-full *:rounded-none *:border-0">
      {isAvailable(output) && output.media_type.startsWith("text/") ? (
        <TileExcerpt path={ownPath(output.url)} size={output.size} />
      ) : is_llm && title ? (
        <TileText>{title}</TileText>
      ) : isAvailable(output) ? (
        <FileThumbnail
          path={ownPath(output.url)}
          mediaType={output.media_type}
          size={output.size}
          isLarge
          isFirst={isFirst}
        />
      ) : (
        <span className="grid place-items-center text-soft">
          <Icon size={24} aria-hidden />
        </span>
      )}
    </span>
  );
}

/** Moves the focus between the tiles with the arrow keys, Home and End. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>("a[href]")];
  const current = links.indexOf(document.activeElement as HTMLElement);
  if (current < 0) return;
  const next = moveInGrid(event.key, current, { count: links.length, columns: countColumns(links) });
  if (next === null) return;
  event.preventDefault();
  links[next]!.focus();
}

/** Returns how many tiles the first row has. */
const countColumns = (links: HTMLElement[]): number => {
  const top = links[0]!.getBoundingClientRect().top;
  const count = links.findIndex((link) => link.getBoundingClientRect().top > top);
  return count < 0 ? links.length : count;
};

interface Grid {
  count: number;
  columns: number;
}

/** Returns the index that a key moves to in a grid; null for other keys and at the edges. */
export function moveInGrid(key: string, index: number, { count, columns }: Grid): number | null {
  const targets: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index - columns,
    ArrowDown: index + columns,
    Home: 0,
    End: count - 1,
  };
  const next = targets[key];
  return next !== undefined && next >= 0 && next < count && next !== index ? next : null;
}
