/** Returns the cookies of a `Cookie` header. */
export const readCookies = (header: string): { name: string; value: string }[] =>
  header.split("; ").map((pair) => {
    const at = pair.indexOf("=");
    return { name: pair.slice(0, at), value: pair.slice(at + 1) };
  });
