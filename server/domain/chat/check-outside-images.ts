import type { Hub } from "../../context";
import { invalidInput } from "../../errors";
import { checkUrl, isOutboundError, readUrl, type Scheme } from "../../lib/safe-fetch";
import type { ImagePart } from "./images";

const MAX_HOSTS = 10;
const schemes: Scheme[] = ["https:", "http:"];

/**
 * Rejects a chat with 400, by its path, when it names an image at an address that is not public: the provider would
 * fetch it, and may stand in a network of the operator's. A name that nobody can resolve here is the provider's to judge.
 */
export async function checkOutsideImages({ env }: Hub, images: ImagePart[]): Promise<void> {
  const origins = new Map<string, ImagePart>();
  for (const image of images) {
    const { origin } = readAddress(image);
    if (!origins.has(origin)) origins.set(origin, image);
    if (origins.size > MAX_HOSTS) throw invalidInput(image.path, `names one host too many: at most ${MAX_HOSTS}`);
  }
  const checks = [...origins].map(([origin, { path }]) =>
    checkUrl(origin, { schemes, allowHosts: env.OUTBOUND_ALLOW_HOSTS }).catch((error: unknown) => {
      if (!isOutboundError(error)) throw error;
      if (error.reason === "refused_address") throw invalidInput(path, error.message);
    }),
  );
  await Promise.all(checks);
}

// Every address, also of a host that was seen: programs differ in what they read in an odd one.
function readAddress({ path, url }: ImagePart): URL {
  try {
    return readUrl(url, schemes);
  } catch (error) {
    throw isOutboundError(error) ? invalidInput(path, error.message) : error;
  }
}
