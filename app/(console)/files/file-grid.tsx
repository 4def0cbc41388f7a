"use client";

import { useEffect, useRef, useState } from "react";
import { DeferredImage, FileIcon, hasThumbnail, thumbnailPath } from "../../ui/file-thumbnail";
import { useFormats } from "../../ui/formats-context";
import { ownPath } from "../../ui/own-path";
import { SelectRow } from "../../ui/selection";
import { Bytes } from "../../ui/values";
import { FileActions, FileLink, FileSource, PictureLink } from "./file-actions";
import type { FileProps, FilesProps } from "./file-table";
import { describeFile, type ListedFile } from "./types";

/** Shows files as a grid of pictures. */
export const FileGrid = ({ files, selection, onDelete }: FilesProps) => (
  <ul
    aria-label="Files"
    className="grid grid-cols-2 gap-4 p-5 max-sm:gap-3 max-sm:p-3 sm:grid-cols-[repeat(auto-fill,minmax(11rem,1fr))]"
  >
    {files.map((file) => (
      <FileTile key={file.id} file={file} selection={selection} onDelete={() => onDelete(file)} />
    ))}
  </ul>
);

function FileTile({ file, selection, onDelete }: FileProps) {
  const name = describeFile(file, useFormats());
  return (
    <li
      className={`relative flex min-w-0 flex-col overflow-hidden rounded-lg border ${selection.isSelected(file.id) ? "border-accent bg-wash" : "border-line"}`}
    >
      <PictureLink file={file} className="grid aspect-square place-items-center overflow-hidden bg-sunken text-soft">
        <FilePreview file={file} />
      </PictureLink>
      <span className="absolute top-2 left-2 grid place-items-center rounded-md border border-line bg-raised">
        <SelectRow selection={selection} id={file.id} label={name} />
      </span>
      <span className="grid flex-1 content-start gap-0.5 px-3 pt-2">
        <FileLink file={file} className="text-sm" />
        <span className="text-xs leading-5 text-soft">
          <Bytes value={file.size} /> · <FileSource file={file} />
        </span>
      </span>
      <span className="p-1">
        <FileActions file={file} isCompact onDelete={onDelete} />
      </span>
    </li>
  );
}

/** Shows the picture or the first frame of a file, otherwise its icon. */
function FilePreview({ file }: { file: ListedFile }) {
  const [failed, setFailed] = useState(false);
  const onError = () => setFailed(true);
  const { media_type, size, url } = file;
  const path = ownPath(url);
  if (!failed && hasThumbnail({ mediaType: media_type, size }))
    return <DeferredImage src={thumbnailPath(path, 512)} onError={onError} />;
  if (!failed && media_type.startsWith("video/")) return <VideoFrame path={path} onError={onError} />;
  return <FileIcon mediaType={media_type} size={32} />;
}

/** Shows the first frame of a video, which loads once it is in view. Fills its container. */
function VideoFrame({ path, onError }: { path: string; onError: () => void }) {
  const box = useRef<HTMLSpanElement>(null);
  const isSeen = useSeen(box);
  return (
    <span ref={box} className="block size-full">
      {isSeen && (
        <video
          // Without a time, Safari shows no frame until the video plays.
          src={`${path}#t=0.1`}
          preload="metadata"
          muted
          playsInline
          tabIndex={-1}
          aria-hidden
          className="pointer-events-none size-full object-cover"
          onError={onError}
        />
      )}
    </span>
  );
}

/** Returns whether an element has been in view. */
function useSeen(box: React.RefObject<HTMLElement | null>): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      setIsSeen(true);
      observer.disconnect();
    });
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, [box]);
  return isSeen;
}
