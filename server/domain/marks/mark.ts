/** IPTC's term for media that a model generated (Digital Source Type NewsCodes). */
export const DIGITAL_SOURCE_TYPE = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia";

/** The name of this software, which marks carry as their generator. */
export const GENERATOR = "Generation Hub";

/** What the hub knows about a stored output's mark, by the value of `file.mark`, in words for people. */
export const marks = {
  xmp: "Marked as AI-generated in its XMP metadata.",
  maker_c2pa: "Stored unchanged: it has a C2PA manifest of its maker, which a mark would break.",
  maker_xmp: "Stored unchanged: it has XMP metadata of its maker.",
  unsupported_format: "Not marked: this format has no place for a mark.",
  unreadable: "Not marked: its structure is damaged, or leaves no place for a mark.",
  model_exempt: "Not marked: the catalogue says that this model's outputs need no mark.",
  disabled: "Not marked: the operator has turned marks off.",
} as const;

export type Mark = keyof typeof marks;

/** Why an output that could be marked is stored unchanged. */
export type UnmarkedReason = Extract<Mark, "maker_c2pa" | "maker_xmp" | "unreadable">;
