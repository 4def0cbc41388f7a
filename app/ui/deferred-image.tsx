"use client";

import { useHydrated } from "./use-hydrated";

interface Props {
  /** On this origin. */
  src: string;
  onError: () => void;
}

/** A picture that fills its place, fetched after the first paint: many on their way at once would hold that up. */
export const DeferredImage = ({ src, onError }: Props) =>
  useHydrated() && (
    <img src={src} alt="" loading="lazy" decoding="async" className="size-full object-cover" onError={onError} />
  );
