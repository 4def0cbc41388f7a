type Content = Blob | Uint8Array | ArrayBuffer;

/**
 * Returns the input with each content (Blob, Uint8Array, ArrayBuffer) replaced by the hash of its upload. The hash is
 * the same on each call, so a call that is repeated with its idempotency key has the same body.
 */
export async function uploadContents(
  input: Record<string, unknown>,
  upload: (content: Content) => Promise<string>,
): Promise<Record<string, unknown>> {
  const replace = async (value: unknown): Promise<unknown> => {
    if (isContent(value)) return `sha256:${await upload(value)}`;
    if (Array.isArray(value)) return Promise.all(value.map(replace));
    if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
    const members = await Promise.all(Object.entries(value).map(async ([name, one]) => [name, await replace(one)]));
    return Object.fromEntries(members) as unknown;
  };
  return (await replace({ ...input })) as Record<string, unknown>;
}

const isContent = (value: unknown): value is Content =>
  value instanceof Blob || value instanceof Uint8Array || value instanceof ArrayBuffer;
