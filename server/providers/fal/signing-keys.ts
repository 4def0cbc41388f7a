import { createPublicKey, type KeyObject } from "node:crypto";
import { z } from "zod";
import type { ProviderSettings } from "../../catalogue/model";
import { AppError } from "../../errors";
import { memoizePer } from "../../lib/memoize-per";
import { callApi } from "../http/call-api";
import type { ProviderIo } from "../provider";
import { publicApi } from "./api";

const MAX_AGE_MS = 86_400_000;
/** A callback with a forged signature must not cause a request each time. */
const MIN_REQUEST_INTERVAL_MS = 60_000;

interface KeyCache {
  keys: KeyObject[];
  fetchedAt: number;
  requestedAt: number;
  request: Promise<void>;
}

const getCache = memoizePer<ProviderSettings, KeyCache>(() => ({
  keys: [],
  fetchedAt: -Infinity,
  requestedAt: -Infinity,
  request: Promise.resolve(),
}));

/**
 * Returns whether one of fal's keys verifies a signature. The keys are fetched once a day, and once more when none
 * verifies. Throws AppError when they cannot be fetched, so that fal calls back again.
 */
export async function isSignedByFal(
  provider: ProviderSettings,
  io: ProviderIo,
  verifies: (key: KeyObject) => boolean,
): Promise<boolean> {
  const cache = getCache(provider);
  const now = io.now().getTime();
  if (now - cache.fetchedAt < MAX_AGE_MS && cache.keys.some(verifies)) return true;
  if (now - cache.requestedAt >= MIN_REQUEST_INTERVAL_MS) {
    cache.requestedAt = now;
    cache.request = fetchKeys(provider, io).then((keys) => void Object.assign(cache, { keys, fetchedAt: now }));
  }
  await cache.request;
  return cache.keys.some(verifies);
}

const KeySet = z.object({ keys: z.array(z.object({ x: z.string() }).nullable().catch(null)).max(100) });

async function fetchKeys(provider: ProviderSettings, io: ProviderIo): Promise<KeyObject[]> {
  const url = new URL("/.well-known/jwks.json", provider.hasOwnBaseUrl ? provider.baseUrl! : "https://rest.fal.ai")
    .href;
  // Other callbacks wait for the same request, so it must not abort with the first one's signal.
  const response = await callApi(publicApi, provider, { ...io, signal: new AbortController().signal }, { url }).catch(
    () => null,
  );
  const set = KeySet.safeParse(response?.body);
  if (!set.success) throw new AppError("service_unavailable", "The provider's signing keys could not be fetched.");
  return set.data.keys.flatMap((key) => (key ? parseKey(key.x) : []));
}

function parseKey(x: string): KeyObject[] {
  try {
    return [createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" })];
  } catch {
    return [];
  }
}
