/** JSON Pointer (RFC 6901) of a parameter in the body of a request. */
export const inputPointer = (name: string): string => `/input/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
