import type { Tier } from "../../catalogue/model";
import type { Hub } from "../../context";
import { mulCeil, type Nano, parseDecimal } from "../../lib/money";

/** What a tier costs at today's rate, in nano-euros rounded up once. */
export const tierCost = ({ env }: Pick<Hub, "env">, { priceUsd }: Tier): Nano =>
  mulCeil(priceUsd, parseDecimal(env.EUR_PER_USD));
