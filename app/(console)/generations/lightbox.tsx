"use client";

import { ChevronLeft, ChevronRight, Download, FileText, X } from "lucide-react";
import { Dialog } from "radix-ui";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Button } from "../../ui/button";
import { Link } from "../../ui/link";
import { ownPath } from "../../ui/own-path";
import { CollectButton } from "./collections/collect-button";
import { StarButton } from "./favourites/star-button";
import { EditWith, fileIdOf, isPicture } from "./next-steps/edit-with";
import { NextSteps } from "./next-steps/next-steps";
import { OutputPreview } from "./outputs/output-preview";
import { ShareOutput } from "../shares/share-output";
import type { GenerationOutput } from "./types";

/** An output that the lightbox shows. */
export interface LightboxItem {
  id: string;
  title: string;
  /** Shown below the title, before and after its position in the list. */
  detail: string;
  note?: string;
  output: GenerationOutput;
  /** The address of the link that opens it, which gets the focus when the lightbox closes. */
  openerHref: string;
  /** Its generation, where the page does not show that already. */
  generationId?: string;
}

interface Props {
  items: LightboxItem[];
  openId: string | null;
  onOpen: (id: string | null) => void;
}

/** Shows an output in full, with its actions. The arrow keys open the next and the previous one. */
export function Lightbox({ items, openId, onOpen }: Props) {
  const index = items.findIndex(({ id }) => id === openId);
  const item = items[index];
  const content = useRef<HTMLDivElement>(null);
  const openerHref = useRef("");
  useEffect(() => {
    if (item) openerHref.current = item.openerHref;
  }, [item]);
  const move = (by: number) => {
    const next = items[index + by];
    if (next) onOpen(next.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Media players handle the arrow keys themselves, and so does a dialog above the lightbox.
    if (event.target instanceof HTMLMediaElement || !content.current!.contains(event.target as Node)) return;
    if (event.key === "ArrowLeft") move(-1);
    if (event.key === "ArrowRight") move(1);
  };
  return (
    <Dialog.Root open={item !== undefined} onOpenChange={(open) => !open && onOpen(null)}>
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
            document.querySelector<HTMLElement>(`a[href="${openerHref.current}"]`)?.focus();
          }}
          className="fixed inset-2 z-50 mx-auto flex max-w-5xl flex-col overflow-hidden rounded-2xl border border-line bg-raised outline-none sm:inset-8"
        >
          {item && (
            <LightboxContent
              item={item}
              position={`${index + 1} of ${items.length}`}
              onPrevious={index > 0 ? () => move(-1) : undefined}
              onNext={index < items.length - 1 ? () => move(1) : undefined}
            />
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface LightboxContentProps {
  item: LightboxItem;
  position: string;
  /** Undefined at the end of the list. */
  onPrevious?: () => void;
  onNext?: () => void;
}

function LightboxContent({ item, position, onPrevious, onNext }: LightboxContentProps) {
  const { id, title, detail, note, output, generationId } = item;
  return (
    <>
      <div className="flex items-center gap-1 border-b border-line px-4 py-2">
        <div className="min-w-0 flex-1">
          <Dialog.Title className="truncate text-sm font-semibold">{title}</Dialog.Title>
          <p className="truncate text-xs text-soft">
            {detail} · <span aria-live="polite">{position}</span>
            {note && ` · ${note}`}
          </p>
        </div>
        {generationId !== undefined && (
          <>
            <StarButton id={generationId} title={title} />
            <CollectButton id={generationId} />
          </>
        )}
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
      <Media key={id} output={output} />
      <LightboxActions item={item} />
    </>
  );
}

function Media({ output }: { output: GenerationOutput }) {
  const [hasFailed, setFailed] = useState(false);
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] items-center overflow-auto bg-sunken">
      {hasFailed ? (
        <p className="p-6 text-center text-sm text-soft">This file can’t be shown. Open the record for details.</p>
      ) : (
        <OutputPreview output={output} ratio={null} isTile={false} onError={() => setFailed(true)} />
      )}
    </div>
  );
}

function LightboxActions({ item: { title, output, generationId } }: { item: LightboxItem }) {
  const path = ownPath(output.url);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] justify-items-end gap-2 border-t border-line px-4 py-3">
      {generationId !== undefined && (
        // The next steps load later, into one row that is reserved for them, so that nothing moves.
        <div className="min-h-10 max-w-full">
          <NextSteps key={path} id={generationId} fileId={fileIdOf(output)} isOneRow />
        </div>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {generationId === undefined && isPicture(output) && <EditWith fileId={fileIdOf(output)} />}
        <ShareOutput url={output.url} subject={title} />
        <Button asChild>
          <a href={path} download>
            <Download size={16} aria-hidden />
            Download
          </a>
        </Button>
        {generationId !== undefined && (
          <Button asChild kind="primary">
            <Link href={`/generations/${generationId}`}>
              <FileText size={16} aria-hidden />
              Open record
            </Link>
          </Button>
        )}
      </div>
    </div>
  );
}
