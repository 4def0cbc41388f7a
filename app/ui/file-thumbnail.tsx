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

/** Types that the hub makes thumbnails of; "image/*" is a file whose type is not known. */
const PICTURE = /^image\/(png|jpeg|webp|gif|avif|\*)$/;
/** The hub makes no thumbnails of larger images. */
const MAX_BYTES = 50 * 1024 ** 2;

/** Returns whether the hub has a thumbnail of a file. */
export const hasThumbnail = ({ mediaType, size }: { mediaType: string; size: number }): boolean =>
  PICTURE.test(mediaType) && size <= MAX_BYTES;

/** Returns the path of a thumbnail of at most this width, in pixels. */
export const thumbnailPath = (path: string, width: 128 | 512): string =>
  `${path}${path.includes("?") ? "&" : "?"}w=${width}`;

/** Renders the icon of a type of file. */
export function FileIcon({ mediaType, size }: { mediaType: string; size: number }) {
  const Icon = icons.find(([pattern]) => pattern.test(mediaType))?.[1] ?? File;
  return <Icon size={size} aria-hidden />;
}

interface Props {
  /** A path or URL on this origin. */
  path: string;
  mediaType: string;
  size: number;
  /** Whether its container is wider than 64 px, so that screens with a high density need the larger thumbnail. */
  isLarge?: boolean;
  isFirst?: boolean;
}

/** Renders a thumbnail of an image, or an icon for any other type of file. */
export function FileThumbnail({ path, mediaType, size, isLarge, isFirst }: Props) {
  const [failed, setFailed] = useState(false);
  return (
    <span className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-lg border border-line bg-sunken text-soft">
      {hasThumbnail({ mediaType, size }) && !failed ? (
        <DeferredImage
          src={thumbnailPath(path, isLarge ? 512 : 128)}
          isFirst={isFirst}
          onError={() => setFailed(true)}
        />
      ) : (
        <FileIcon mediaType={mediaType} size={18} />
      )}
    </span>
  );
}

interface DeferredImageProps {
  src: string;
  /** Whether it is among the first pictures of a page that shows pictures, which load with the page. */
  isFirst?: boolean;
  onError: () => void;
}

/**
 * Renders a picture that fills its container. Unless it is among the first, it loads after hydration, because many
 * images at once would delay the first paint.
 */
export function DeferredImage({ src, isFirst = false, onError }: DeferredImageProps) {
  const isHydrated = useHydrated();
  if (!isHydrated && !isFirst) return null;
  return (
    <img
      src={src}
      alt=""
      width={128}
      height={128}
      loading={isFirst ? undefined : "lazy"}
      fetchPriority={isFirst ? "high" : undefined}
      decoding="async"
      className="size-full object-cover"
      // React misses an error from before hydration.
      ref={(image) => {
        if (image?.complete && image.naturalWidth === 0) onError();
      }}
      onError={onError}
    />
  );
}
