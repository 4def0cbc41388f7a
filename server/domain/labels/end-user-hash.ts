import type { HubParts } from "../../context";
import { getHmacPads, hmacSql } from "../../lib/hmac-sql";
import { computeHmac } from "../../lib/signature";

/** The parts of the hub that hashes of end users use. */
export type EndUserHub = Pick<HubParts, "endUserKey">;

/**
 * Returns the hash by which an account's end user is counted, so that their name can be erased while their spending is kept.
 * It differs from account to account.
 */
export const hashEndUser = ({ endUserKey }: EndUserHub, accountId: number, endUser: string): Buffer =>
  computeHmac(endUserKey, `${accountId}:${endUser}`);

/** Returns SQL for `hashEndUser` of two expressions. The parameters are those of `getEndUserPads`. */
export const endUserHashSql = (accountId: string, endUser: string): string =>
  hmacSql(`convert_to(${accountId} || ':' || ${endUser}, 'UTF8')`);

/** Returns the parameters of `endUserHashSql`. */
export const getEndUserPads = ({ endUserKey }: EndUserHub) => getHmacPads(endUserKey);
