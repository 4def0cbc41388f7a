"use client";

import { ChevronLeft, ChevronRight, Download, FileText, WandSparkles, X } from "lucide-react";
import { Dialog } from "radix-ui";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Button } from "../../ui/button";
import { Link } from "../../ui/link";
import { ownPath } from "../../ui/own-path";
import { OutputPreview } from "./outputs/output-preview";
import type { GenerationSummary } from "./types";

interface Props {
  /** The generations that have an output. */
  generations: GenerationSummary[];
  openId: string | null;
  onOpen: (id: string | null) => void;
}

/** Shows the output of a generation in full, with its prompt. The arrow keys open the next and the previous one. */
export function Lightbox({ generations, openId, onOpen }: Props) {
  const index = generations.findIndex(({ id }) => id === openId);
  const generation = generations[index];
  const content = useRef<HTMLDivElement>(null);
  const shownId = useRef(openId);
  useEffect(() => {
    if (openId) shownId.current = openId;
  }, [openId]);
  const move = (by: number) => {
    const next = generations[index + by];
    if (next) onOpen(next.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Media players handle the arrow keys themselves.
    if (event.target instanceof HTMLMediaElement) return;
    if (event.key === "ArrowLeft") move(-1);
    if (event.key === "ArrowRight") move(1);
  };
  return (
    <Dialog.Root open={generation !== undefined} onOpenChange={(open) => !open && onOpen(null)}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-[#000000]/70" />
        <Dialog.Content
          ref={content}
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          // Focuses the dialog itself, so that the arrow keys work immediately.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            content.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            document.querySelector<HTMLElement>(`a[href="/generations/${shownId.current}"]`)?.focus();
          }}
          className="fixed inset-2 z-50 mx-auto flex max-w-5xl flex-col overflow-hidden rounded-2xl border border-line bg-raised outline-none sm:inset-8"
        >
          {generation && (
            <LightboxContent
              generation={generation}
              position={`${index + 1} of ${generations.length}`}
              onPrevious={index > 0 ? () => move(-1) : undefined}
              onNext={index < generations.length - 1 ? () => move(1) : undefined}
            />
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface LightboxContentProps {
  generation: GenerationSummary;
  position: string;
  /** Undefined at the end of the list. */
  onPrevious?: () => void;
  onNext?: () => void;
}

function LightboxContent({ generation, position, onPrevious, onNext }: LightboxContentProps) {
  const { id, title, model, output_count } = generation;
  return (
    <>
      <div className="flex items-center gap-1 border-b border-line px-4 py-2">
        <div className="min-w-0 flex-1">
          <Dialog.Title className="truncate text-sm font-semibold">{title ?? id}</Dialog.Title>
          <p className="truncate text-xs text-soft">
            {model} · <span aria-live="polite">{position}</span>
            {output_count > 1 && ` · first of ${output_count} outputs`}
          </p>
        </div>
        <Button kind="ghost" className="px-2" aria-label="Previous" disabled={!onPrevious} onClick={onPrevious}>
          <ChevronLeft size={18} aria-hidden />
        </Button>
        <Button kind="ghost" className="px-2" aria-label="Next" disabled={!onNext} onClick={onNext}>
          <ChevronRight size={18} aria-hidden />
        </Button>
        <Dialog.Close asChild>
          <Button kind="ghost" className="px-2" aria-label="Close">
            <X size={18} aria-hidden />
          </Button>
        </Dialog.Close>
      </div>
      <Media key={id} generation={generation} />
      <LightboxActions generation={generation} />
    </>
  );
}

function Media({ generation: { output } }: { generation: GenerationSummary }) {
  const [hasFailed, setFailed] = useState(false);
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] items-center overflow-auto bg-sunken">
      {hasFailed || !output ? (
        <p className="p-6 text-center text-sm text-soft">This file can’t be shown. Open the record for details.</p>
      ) : (
        <OutputPreview output={output} ratio={null} isTile={false} onError={() => setFailed(true)} />
      )}
    </div>
  );
}

function LightboxActions({ generation: { id, output } }: { generation: GenerationSummary }) {
  if (!output) return null;
  const path = ownPath(output.url);
  return (
    <div className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3">
      {output.media_type.startsWith("image/") && (
        <Button needs="develop" asChild>
          <Link href={`/playground?file=${path.split("/").at(-1)}`}>
            <WandSparkles size={16} aria-hidden />
            Use as input
          </Link>
        </Button>
      )}
      <Button asChild>
        <a href={path} download>
          <Download size={16} aria-hidden />
          Download
        </a>
      </Button>
      <Button asChild kind="primary">
        <Link href={`/generations/${id}`}>
          <FileText size={16} aria-hidden />
          Open record
        </Link>
      </Button>
    </div>
  );
}
