"use client";

import { Boxes, File, FileBraces, FileText, Film, Image, Music } from "lucide-react";
import { useState } from "react";
import { useHydrated } from "./use-hydrated";

const icons = [
  [/^image\//, Image],
  [/^video\//, Film],
  [/^audio\//, Music],
  [/json$/, FileBraces],
  [/safetensors/, Boxes],
  [/^text\/|pdf$/, FileText],
] as const;

/** Larger images take too long to load for a thumbnail. */
const MAX_BYTES = 8 * 1024 ** 2;

interface Props {
  /** A path or URL on this origin. */
  path: string;
  mediaType: string;
  size: number;
}

/** Renders a thumbnail of an image, or an icon for any other type of file. */
export function FileThumbnail({ path, mediaType, size }: Props) {
  const [failed, setFailed] = useState(false);
  const Icon = icons.find(([pattern]) => pattern.test(mediaType))?.[1] ?? File;
  const isPicture = mediaType.startsWith("image/") && size <= MAX_BYTES && !failed;
  return (
    <span className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-lg border border-line bg-sunken text-soft">
      {isPicture ? <DeferredImage src={path} onError={() => setFailed(true)} /> : <Icon size={18} aria-hidden />}
    </span>
  );
}

interface DeferredImageProps {
  /** A path or URL on this origin. */
  src: string;
  onError: () => void;
}

/**
 * Renders an image that fills its container. It loads after hydration, because many images at once would delay the
 * first paint.
 */
export const DeferredImage = ({ src, onError }: DeferredImageProps) =>
  useHydrated() && (
    <img src={src} alt="" loading="lazy" decoding="async" className="size-full object-cover" onError={onError} />
  );
