"use client";

import { useHydrated } from "./use-hydrated";

interface Props {
  /** A path or URL on this origin. */
  src: string;
  onError: () => void;
}

/**
 * Renders an image that fills its container. It loads after hydration, because many images at once would delay the
 * first paint.
 */
export const DeferredImage = ({ src, onError }: Props) =>
  useHydrated() && (
    <img src={src} alt="" loading="lazy" decoding="async" className="size-full object-cover" onError={onError} />
  );
