"use client";

import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, type MouseEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { FileThumbnail, hasThumbnail, thumbnailPath } from "../../../ui/file-thumbnail";
import { ownPath } from "../../../ui/own-path";
import { Bytes } from "../../../ui/values";
import type { GenerationOutput } from "../types";
import { type PreviewKind, previewKindOf } from "./preview-kind";

interface Props {
  output: GenerationOutput;
  ratio: number | null;
  /** Whether it is one of several, which all get the same box. */
  isTile: boolean;
  onError: () => void;
  /** Shows a picture in full on this page; without it, and for a new tab, its link opens the original. */
  onOpen?: () => void;
}

/** Shows the content of an output if browsers can, otherwise an icon. */
export function OutputPreview({ output, ratio, isTile, onError, onOpen }: Props) {
  const { url, media_type, size, index } = output;
  const path = ownPath(url);
  const kind = previewKindOf(media_type);
  const box = { style: { aspectRatio: aspectRatioOf(kind, ratio, isTile) }, className: "max-h-[36rem] w-full object-contain -outline-offset-2" }; // prettier-ignore
  const label = `Output ${index + 1}`;
  // A file that failed before hydration had no error handler.
  const checkFailed = (element: HTMLMediaElement | null) => {
    if (element?.error) onError();
  };
  switch (kind) {
    case "image":
      return (
        <OutputPicture output={output} label={label} box={box} isTile={isTile} onError={onError} onOpen={onOpen} />
      );
    case "video":
      return (
        <video
          {...box}
          src={path}
          controls
          playsInline
          preload="metadata"
          aria-label={`${label}, video`}
          ref={checkFailed}
          onError={onError}
        />
      );
    case "audio":
      return (
        <div className="p-4">
          <audio
            src={path}
            controls
            preload="metadata"
            aria-label={`${label}, audio`}
            className="w-full"
            ref={checkFailed}
            onError={onError}
          />
        </div>
      );
    case "text":
      return <TextExcerpt path={path} mediaType={media_type} size={size} label={label} />;
    case "file":
      return (
        <div className="grid min-h-40 place-items-center">
          <FileThumbnail path={path} mediaType={media_type} size={size} />
        </div>
      );
  }
}

const usualRatios: Partial<Record<PreviewKind, number>> = { video: 16 / 9 };

/** Returns the aspect ratio that reserves the space of a file; a single file has its own if that is known. */
const aspectRatioOf = (kind: PreviewKind, ratio: number | null, isTile: boolean): string =>
  `${isTile ? "" : "auto "}${ratio ?? usualRatios[kind] ?? 1}`;

interface OutputPictureProps {
  output: GenerationOutput;
  label: string;
  box: { style: CSSProperties; className: string };
  /** Whether it is one of several, which are shown smaller than a thumbnail. */
  isTile: boolean;
  onError: () => void;
  onOpen?: () => void;
}

/** The width in pixels that browsers assume for an original when they choose between it and the thumbnail. */
const USUAL_WIDTH = 1_024;

/**
 * Shows a picture that opens in full. The original is loaded only where a thumbnail would be blurred, or if there is
 * no thumbnail.
 */
function OutputPicture({ output, label, box, isTile, onError, onOpen }: OutputPictureProps) {
  const { url, media_type, size, index } = output;
  const path = ownPath(url);
  const [isOriginal, setIsOriginal] = useState(!hasThumbnail({ mediaType: media_type, size }));
  const onFailure = () => (isOriginal ? onError() : setIsOriginal(true));
  // A picture that failed before hydration had no error handler.
  const image = useRef<HTMLImageElement>(null);
  const checkFailed = useEffectEvent(() => {
    if (image.current!.complete && image.current!.naturalWidth === 0) onFailure();
  });
  useEffect(() => checkFailed(), []);
  const thumbnail = thumbnailPath(path, 512);
  const source = isOriginal
    ? { src: path }
    : { src: thumbnail, ...(!isTile && { srcSet: `${thumbnail} 512w, ${path} ${USUAL_WIDTH}w`, sizes: SIZES }) };
  const open = (event: MouseEvent) => {
    if (!onOpen || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onOpen();
  };
  return (
    <a href={path} target="_blank" rel="noreferrer" className="-outline-offset-2" onClick={open}>
      <img {...box} {...source} alt={label} loading={index === 0 ? "eager" : "lazy"} ref={image} onError={onFailure} />
    </a>
  );
}

const SIZES = "(min-width: 80rem) 30rem, 100vw";

/** The most that is loaded of a file. */
const MAX_BYTES = 16 * 1024;

interface TextExcerptProps {
  /** A path on this origin. */
  path: string;
  mediaType: string;
  /** In bytes. */
  size: number;
  label: string;
}

/** Shows the beginning of a text file, at most 16 KiB. */
function TextExcerpt({ path, mediaType, size, label }: TextExcerptProps) {
  const { data, isError } = useQuery({
    queryKey: ["excerpt", path],
    queryFn: () => fetchExcerpt(path, size),
    staleTime: Infinity,
  });
  const isCut = size > MAX_BYTES;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] self-start">
      <pre
        tabIndex={0}
        aria-label={`${label}, text`}
        aria-busy={data === undefined && !isError}
        className={`h-56 overflow-auto p-4 leading-6 break-words whitespace-pre-wrap -outline-offset-2 ${mediaType.endsWith("json") ? "font-mono text-xs" : "font-sans text-sm"}`}
      >
        {isError ? "The text could not be loaded." : data && formatText(data, mediaType, isCut)}
      </pre>
      {isCut && (
        <p className="border-t border-line px-4 py-2 text-xs text-soft">
          The first 16 KiB of <Bytes value={size} />.
        </p>
      )}
    </div>
  );
}

async function fetchExcerpt(path: string, size: number): Promise<string> {
  if (size === 0) return "";
  const response = await fetch(path, { headers: { Range: `bytes=0-${MAX_BYTES - 1}` } });
  if (!response.ok) throw new Error(`status ${response.status}`);
  // The excerpt may end within a character, which a streaming decoder leaves out.
  return new TextDecoder().decode(await response.arrayBuffer(), { stream: true });
}

/** Returns JSON with indentation, and any other text unchanged. */
function formatText(text: string, mediaType: string, isCut: boolean): string {
  if (isCut || !mediaType.endsWith("json")) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
