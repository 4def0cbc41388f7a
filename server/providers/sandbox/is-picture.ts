const signatures: ((head: string) => boolean)[] = [
  (head) => head.startsWith("\x89PNG\r\n\x1a\n"),
  (head) => head.startsWith("\xff\xd8\xff"),
  (head) => head.startsWith("GIF87a") || head.startsWith("GIF89a"),
  (head) => head.startsWith("RIFF") && head.slice(8, 12) === "WEBP",
  (head) => head.slice(4, 12) === "ftypavif" || head.slice(4, 12) === "ftypavis",
];

/** Whether content begins like a raster picture. Nothing else reaches a decoder, SVG above all: it can refer to files. */
export const isPicture = (content: Buffer): boolean => {
  const head = content.toString("latin1", 0, 16);
  return signatures.some((matches) => matches(head));
};
