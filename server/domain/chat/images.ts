type Json = Record<string, unknown>;

export interface ImagePart {
  /** Where in the body it stands. */
  path: string;
  url: string;
}

/** The images that the messages of a chat name. What is of another shape is passed over. */
export function findImageParts(messages: unknown): ImagePart[] {
  const found: ImagePart[] = [];
  for (const [m, message] of list(messages).entries()) {
    for (const [p, part] of list((message as Json | null)?.content).entries()) {
      const url = urlOf(part);
      if (url !== null) found.push({ path: `messages.${m}.content.${p}.image_url`, url });
    }
  }
  return found;
}

/** The same messages with the addresses of images changed; those for which `change` has nothing stay. */
export function replaceImageUrls(messages: unknown[], change: (url: string) => string | undefined): unknown[] {
  return messages.map((message) => {
    const { content } = message as Json;
    return Array.isArray(content)
      ? { ...(message as Json), content: content.map((part) => changePart(part, change)) }
      : message;
  });
}

function changePart(part: unknown, change: (url: string) => string | undefined): unknown {
  const url = urlOf(part);
  const changed = url === null ? undefined : change(url);
  if (changed === undefined) return part;
  const { image_url } = part as Json;
  return {
    ...(part as Json),
    image_url: typeof image_url === "string" ? changed : { ...(image_url as Json), url: changed },
  };
}

/** Most clients send `{url}`, some the address itself. */
function urlOf(part: unknown): string | null {
  if (typeof part !== "object" || part === null || (part as Json).type !== "image_url") return null;
  const { image_url } = part as Json;
  const url = typeof image_url === "object" && image_url !== null ? (image_url as Json).url : image_url;
  return typeof url === "string" ? url : "";
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
