"use client";

import { useQuery } from "@tanstack/react-query";
import { Bytes } from "../../../ui/formats-context";

/** Never more of a file is loaded than this. */
const MAX_BYTES = 16 * 1024;

interface Props {
  /** A path on this origin. */
  path: string;
  mediaType: string;
  /** In bytes. */
  size: number;
  label: string;
}

/** Shows the beginning of a text file, at most 16 KiB. */
export function TextExcerpt({ path, mediaType, size, label }: Props) {
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
  // The last character may be cut; as a stream, the decoder leaves it out.
  return new TextDecoder().decode(await response.arrayBuffer(), { stream: true });
}

/** Returns JSON with indentation, and any other text as it is. */
function formatText(text: string, mediaType: string, isCut: boolean): string {
  if (isCut || !mediaType.endsWith("json")) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
