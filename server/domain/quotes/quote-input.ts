import { z } from "zod";
import { MAX_QUOTE_LENGTH } from "./quote";

/** The member of a request that names a quote, in REST and the console. */
export const QuoteInput = z.string().min(1).max(MAX_QUOTE_LENGTH).meta({
  description:
    "Id of a quote of the same model and input: its price holds, whatever has happened to the catalogue since. No part of the idempotency fingerprint",
});
