const SHA256_REF = /^sha256:([0-9a-f]{64})$/i;

/** Returns the lower-case hash of a `sha256:<hex>` reference; null for any other text. */
export const parseSha256Ref = (text: string): string | null => SHA256_REF.exec(text)?.[1]?.toLowerCase() ?? null;
