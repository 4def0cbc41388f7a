import { type BodyPace, type Ctx, type HubParts, runSlicedBodyWork } from "../../context";
import type { Model } from "../../catalogue/model";
import { hashInSlices } from "../../lib/canonical";
import { decryptToken, encrypt } from "../../lib/encryption";
import { deriveKeys, type Secrets } from "../../lib/signature";
import { type Estimate, maxCost, type MediaPrice } from "../pricing";

/** The parts of the hub that quotes use. */
export type QuotesHub = Pick<HubParts, "now"> & BodyPace["hub"] & Secrets;

/** A price that is held for a while, as the API shows it. */
interface Quote {
  id: string;
  expires_at: string;
}

interface QuotedRequest {
  model: Model;
  input: Record<string, unknown>;
}

const PURPOSE = "generation-hub quotes";
const LIFETIME_S = 15 * 60;
/** The maximum length of a quote's id. The condition of a tier is the only part of a price that has no other limit. */
export const MAX_QUOTE_LENGTH = 2_048;

/** What a quote's id contains, in encrypted JSON. */
interface QuotedPrice {
  /** Unix seconds. */
  expires: number;
  price: MediaPrice;
}

/**
 * Returns a quote, valid for 15 minutes, for a generation of the account with this model and input: the frozen price, encrypted
 * because it has the catalogue's price and the multiplier of the account's book. Returns null for a price that is too long.
 */
export async function createQuote(
  ctx: Ctx<QuotesHub>,
  quoted: QuotedRequest,
  price: MediaPrice,
): Promise<Quote | null> {
  const expires = Math.floor(ctx.hub.now().getTime() / 1000) + LIFETIME_S;
  const text = JSON.stringify({ expires, price } satisfies QuotedPrice);
  const [key] = deriveKeys(ctx.hub, PURPOSE);
  const id = encrypt(key!, await describeQuoted(ctx, quoted), text).toString("base64url");
  return id.length > MAX_QUOTE_LENGTH ? null : { id, expires_at: new Date(expires * 1000).toISOString() };
}

/**
 * Returns the price of a quote; null if it is expired, altered or for another account, model or input, or if the model is now
 * priced in another way, so that its work is measured in another way too.
 */
export async function openQuote(ctx: Ctx<QuotesHub>, quoted: QuotedRequest, id: string): Promise<Estimate | null> {
  const decrypted = decryptToken(deriveKeys(ctx.hub, PURPOSE), await describeQuoted(ctx, quoted), id);
  if (decrypted === null) return null;
  const { expires, price } = JSON.parse(decrypted) as QuotedPrice;
  const isValid = ctx.hub.now().getTime() < expires * 1000 && price.by === quoted.model.pricing.by;
  return isValid ? { cost: maxCost(price), price } : null;
}

/** Returns what a quote is for, without which it cannot be decrypted. */
async function describeQuoted(ctx: Ctx<QuotesHub>, { model, input }: QuotedRequest): Promise<string> {
  const hash = await runSlicedBodyWork(ctx, () => hashInSlices(input));
  return [ctx.account.id, model.id, hash.toString("hex")].join("\n");
}
