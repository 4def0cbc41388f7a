const HASH = /^sha256:([0-9a-f]{64})$/i;

/** The hash, in lower case, that `sha256:<hex>` names; null for any other text. */
export const parseSha256Ref = (text: string): string | null => HASH.exec(text)?.[1]?.toLowerCase() ?? null;
