"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { ownPath } from "../../../ui/own-path";

/** Shows the newest preview of a running generation, and the one before it until that is loaded. */
export function RunningPreview({ url }: { url: string }) {
  const image = useRef<HTMLImageElement>(null);
  const { data: picture } = useQuery({
    queryKey: ["running-preview", url],
    queryFn: () => fetchPicture(url),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  });
  useEffect(() => {
    if (!picture) return;
    const source = URL.createObjectURL(picture);
    image.current!.src = source;
    return () => URL.revokeObjectURL(source);
  }, [picture]);
  return (
    <figure className="grid gap-2 rounded-lg bg-sunken p-4 text-center text-sm text-soft">
      <img ref={image} alt="" className="mx-auto max-h-80 max-w-full rounded-md" />
      <figcaption>Preview of the work so far.</figcaption>
    </figure>
  );
}

/** Returns a picture; null if it cannot be read, as after the end. An `<img>` cannot send the header that a session needs. */
async function fetchPicture(url: string): Promise<Blob | null> {
  const response = await fetch(ownPath(url), { headers: { "X-Requested-With": "XMLHttpRequest" } });
  return response.ok ? response.blob() : null;
}
