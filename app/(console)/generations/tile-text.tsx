"use client";

import { useQuery } from "@tanstack/react-query";

/** A tile has no room for more. */
const MAX_BYTES = 600;

/** Fills a tile with the beginning of a text. */
export const TileText = ({ children }: { children: string }) => (
  <span className="block overflow-hidden bg-raised p-3 text-xs leading-5 break-words whitespace-pre-line text-ink">
    {children}
  </span>
);

/** Fills a tile with the beginning of a text file; `path` is on this origin. */
export function TileExcerpt({ path, size }: { path: string; size: number }) {
  const { data } = useQuery({
    queryKey: ["tile", path],
    queryFn: () => fetchBeginning(path, size),
    staleTime: Infinity,
  });
  return <TileText>{data ?? ""}</TileText>;
}

async function fetchBeginning(path: string, size: number): Promise<string> {
  if (size === 0) return "";
  const response = await fetch(path, { headers: { Range: `bytes=0-${MAX_BYTES - 1}` } });
  if (!response.ok) return "";
  // The end may be within a character, which a streaming decoder leaves out.
  return new TextDecoder().decode(await response.arrayBuffer(), { stream: true });
}
