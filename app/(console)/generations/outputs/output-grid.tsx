"use client";

import { Download, FileX, VideoOff } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { Button } from "../../../ui/button";
import { ownPath } from "../../../ui/own-path";
import { partNotLoaded } from "../../../ui/part-not-loaded";
import { Bytes, Expiry } from "../../../ui/values";
import { ShareOutput } from "../../shares/share-output";
import type { LightboxItem } from "../lightbox";
import type { GenerationDetail, GenerationOutput } from "../types";
import { columnsFor } from "./columns-for";
import { OutputPreview } from "./output-preview";
import { previewKindOf } from "./preview-kind";

const Lightbox = dynamic(() => import("../lightbox").then((module) => module.Lightbox, partNotLoaded), { ssr: false });

/** Shows the outputs of a generation: one in full, several as a grid. A picture opens in the lightbox. */
export function OutputGrid({
  generation: { outputs, expected, model, output_marks: marks },
}: {
  generation: GenerationDetail;
}) {
  const [openPath, setOpenPath] = useState<string | null>(null);
  const [first] = outputs;
  if (!first) return null;
  const isExpired = new Date(first.expires_at) <= new Date();
  return (
    <div className="@container grid gap-3">
      <ul aria-label="Outputs" className={`grid gap-4 ${columnsFor(outputs.length)}`}>
        {outputs.map((output) => (
          <OutputTile
            key={output.index}
            output={output}
            ratio={expected.ratio}
            count={outputs.length}
            onOpen={() => setOpenPath(ownPath(output.url))}
          />
        ))}
      </ul>
      {openPath !== null && <Lightbox items={listPictures(outputs, model)} openId={openPath} onOpen={setOpenPath} />}
      <p className="text-xs text-soft">
        {isExpired ? "Expired" : "Expires"} <Expiry at={first.expires_at} />
        {marks.map((mark) => (
          <span key={mark} className="block">
            {mark}
          </span>
        ))}
      </p>
    </div>
  );
}

const listPictures = (outputs: GenerationOutput[], model: string): LightboxItem[] =>
  outputs
    .filter(({ media_type }) => previewKindOf(media_type) === "image")
    .map((output) => {
      const path = ownPath(output.url);
      return { id: path, title: `Output ${output.index + 1}`, detail: model, output, openerHref: path };
    });

interface Props {
  output: GenerationOutput;
  /** The expected width divided by height; null if unknown. */
  ratio: number | null;
  /** How many outputs the generation has. */
  count: number;
  onOpen: () => void;
}

/** Shows an output with its actions. */
function OutputTile({ output, ratio, count, onOpen }: Props) {
  const { url, media_type, size, expires_at } = output;
  const path = ownPath(url);
  const [issue, setIssue] = useState<"gone" | "unplayable" | null>(null);
  const isCompact = count > 2;
  const isGone = issue === "gone" || new Date(expires_at) <= new Date();
  const onError = () => void hasContent(path).then((exists) => setIssue(exists ? "unplayable" : "gone"));
  return (
    <li
      className={`@container/tile flex min-w-0 flex-col overflow-hidden rounded-lg border border-line ${previewKindOf(media_type) === "image" ? "" : "@max-md:col-span-full"}`}
    >
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] items-center bg-sunken">
        {isGone ? (
          <Unavailable icon={<FileX size={20} aria-hidden />}>This file is no longer available.</Unavailable>
        ) : issue === "unplayable" ? (
          <Unavailable icon={<VideoOff size={20} aria-hidden />}>
            Your browser can’t show this file. Download it instead.
          </Unavailable>
        ) : (
          <OutputPreview output={output} ratio={ratio} isTile={count > 1} onError={onError} onOpen={onOpen} />
        )}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-2 gap-y-1 border-t border-line py-1.5 pr-1.5 pl-3">
        <span className="min-w-0 text-xs text-soft">
          <span className="@max-[14rem]/tile:hidden">{media_type.split("/")[0]}/</span>
          {media_type.split("/")[1]} · <Bytes value={size} />
        </span>
        {!isGone && <OutputActions output={output} isCompact={isCompact} />}
      </div>
    </li>
  );
}

function OutputActions({
  output: { url, media_type, index },
  isCompact,
}: {
  output: GenerationOutput;
  isCompact: boolean;
}) {
  return (
    <span className="flex gap-1">
      <ShareOutput url={url} subject={`output ${index + 1}`} iconOnly={isCompact} />
      <Button asChild kind={isCompact ? "ghost" : "quiet"}>
        <a href={ownPath(url)} download aria-label={`Download output ${index + 1}, ${media_type}`} title="Download">
          <Download size={16} aria-hidden />
          {!isCompact && "Download"}
        </a>
      </Button>
    </span>
  );
}

const Unavailable = ({ icon, children }: { icon: ReactNode; children: string }) => (
  <p className="grid min-h-40 place-items-center content-center gap-2 p-6 text-center text-sm text-soft">
    {icon}
    {children}
  </p>
);

/** Returns whether the hub still has a file that could not be shown; true if the hub cannot be reached. */
const hasContent = (path: string): Promise<boolean> =>
  fetch(path, { method: "HEAD" }).then(
    ({ status }) => status !== 404 && status !== 410,
    () => true,
  );
