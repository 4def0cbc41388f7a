const STORABLE = /^[\x21-\x7e]{1,256}$/;

/** Returns the provider's id of a chat, by which its bill or its support may name it; null if it sent none of a usual form. */
export const readUpstreamId = ({ id }: Record<string, unknown>): string | null =>
  typeof id === "string" && STORABLE.test(id) ? id : null;
