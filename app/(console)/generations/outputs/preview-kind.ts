/** How a file is shown. */
export type PreviewKind = "image" | "video" | "audio" | "text" | "file";

const kinds: [RegExp, PreviewKind][] = [
  [/^image\//, "image"],
  [/^video\//, "video"],
  // Raw samples lack the header that a player needs.
  [/^audio\/(?!pcm|l16|basic)/, "audio"],
  [/^text\/|[/+]json$/, "text"],
];

/** Returns how a file of this media type is shown; `file` for one that can only be downloaded. */
export const previewKindOf = (mediaType: string): PreviewKind =>
  kinds.find(([pattern]) => pattern.test(mediaType))?.[1] ?? "file";
