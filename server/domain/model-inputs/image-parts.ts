type Json = Record<string, unknown>;

export interface ImagePart {
  /** Its path in the request body. */
  path: string;
  url: string;
}

/** Returns the image parts of a chat's messages. Values of another shape are ignored. */
export function findImageParts(messages: unknown): ImagePart[] {
  const found: ImagePart[] = [];
  for (const [m, message] of toArray(messages).entries()) {
    for (const [p, part] of toArray((message as Json | null)?.content).entries()) {
      const url = getImageUrl(part);
      if (url !== null) found.push({ path: `messages.${m}.content.${p}.image_url`, url });
    }
  }
  return found;
}

/** Returns the messages with image URLs replaced; an image stays as it is when `replace` returns undefined. */
export function replaceImageUrls(messages: unknown[], replace: (url: string) => string | undefined): unknown[] {
  return messages.map((message) => {
    const { content } = message as Json;
    return Array.isArray(content)
      ? { ...(message as Json), content: content.map((part) => replacePart(part, replace)) }
      : message;
  });
}

function replacePart(part: unknown, replace: (url: string) => string | undefined): unknown {
  const url = getImageUrl(part);
  const replaced = url === null ? undefined : replace(url);
  if (replaced === undefined) return part;
  const { image_url } = part as Json;
  return {
    ...(part as Json),
    image_url: typeof image_url === "string" ? replaced : { ...(image_url as Json), url: replaced },
  };
}

/** Returns the part's image URL, or null for another part. Most clients send `{ url }`, some the URL itself. */
function getImageUrl(part: unknown): string | null {
  if (typeof part !== "object" || part === null || (part as Json).type !== "image_url") return null;
  const { image_url } = part as Json;
  const url = typeof image_url === "object" && image_url !== null ? (image_url as Json).url : image_url;
  return typeof url === "string" ? url : "";
}

const toArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
