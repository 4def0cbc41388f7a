import type { Hub } from "../../context";
import { invalidInput } from "../../errors";
import { checkUrl, isOutboundError, readUrl, type Scheme } from "../../lib/safe-fetch";
import type { ImagePart } from "../models/image-parts";

const MAX_HOSTS = 10;
const schemes: Scheme[] = ["https:", "http:"];

/**
 * Throws 400 with the image's path when an image URL is not public, because the provider would fetch it and may run in
 * the operator's network. A host name that does not resolve here is left to the provider.
 */
export async function checkOutsideImages({ env }: Hub, images: ImagePart[]): Promise<void> {
  const origins = new Map<string, ImagePart>();
  for (const image of images) {
    const { origin } = parseImageUrl(image);
    if (!origins.has(origin)) origins.set(origin, image);
    if (origins.size > MAX_HOSTS) throw invalidInput(image.path, `exceeds the limit of ${MAX_HOSTS} different hosts`);
  }
  const checks = [...origins].map(([origin, { path }]) =>
    checkUrl(origin, { schemes, allowHosts: env.OUTBOUND_ALLOW_HOSTS }).catch((error: unknown) => {
      if (!isOutboundError(error)) throw error;
      if (error.reason === "refused_address") throw invalidInput(path, error.message);
    }),
  );
  await Promise.all(checks);
}

// Every URL is parsed, even if its host was already checked, because parsers disagree on malformed URLs.
function parseImageUrl({ path, url }: ImagePart): URL {
  try {
    return readUrl(url, schemes);
  } catch (error) {
    throw isOutboundError(error) ? invalidInput(path, error.message) : error;
  }
}
