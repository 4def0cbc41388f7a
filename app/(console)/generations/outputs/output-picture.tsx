"use client";

import { type CSSProperties, useEffect, useEffectEvent, useRef, useState } from "react";
import { hasThumbnail, thumbnailPath } from "../../../ui/file-thumbnail";
import { ownPath } from "../../../ui/own-path";
import type { GenerationOutput } from "../types";

interface Props {
  output: GenerationOutput;
  label: string;
  box: { style: CSSProperties; className: string };
  /** Whether it is one of several, which are shown smaller than a thumbnail. */
  isTile: boolean;
  onError: () => void;
}

/** What browsers assume of the width of an original when they choose between it and the thumbnail. */
const USUAL_WIDTH = 1_024;

/**
 * Shows a picture that opens its original. The original is loaded only where a thumbnail would be blurred, or if there is
 * no thumbnail.
 */
export function OutputPicture({ output, label, box, isTile, onError }: Props) {
  const { url, media_type, size, index } = output;
  const path = ownPath(url);
  const [isOriginal, setIsOriginal] = useState(!hasThumbnail({ mediaType: media_type, size }));
  const onFailure = () => (isOriginal ? onError() : setIsOriginal(true));
  // A picture that failed before the page was hydrated has reported that to nobody.
  const image = useRef<HTMLImageElement>(null);
  const checkFailed = useEffectEvent(() => {
    if (image.current!.complete && image.current!.naturalWidth === 0) onFailure();
  });
  useEffect(() => checkFailed(), []);
  const thumbnail = thumbnailPath(path, 512);
  const source = isOriginal
    ? { src: path }
    : { src: thumbnail, ...(!isTile && { srcSet: `${thumbnail} 512w, ${path} ${USUAL_WIDTH}w`, sizes: SIZES }) };
  return (
    <a href={path} target="_blank" rel="noreferrer" className="-outline-offset-2">
      <img {...box} {...source} alt={label} loading={index === 0 ? "eager" : "lazy"} ref={image} onError={onFailure} />
    </a>
  );
}

const SIZES = "(min-width: 80rem) 30rem, 100vw";
