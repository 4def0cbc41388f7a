import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { Hub } from "../../context";
import { AppError } from "../../errors";
import { findCopy } from "../inputs/input-copy";
import type { FileRow } from "./file";
import { findAccountFile } from "./find-file";
import { fileUrl } from "./serialize-file";

/** The query of a signed link, as it stands in the URL. */
export interface LinkSignature {
  /** Unix seconds. */
  expires: string;
  signature: string;
}

/** A link that opens one file to whoever has it, until `expires` (rounded down to a second) or the file's own end. */
export function signLink(hub: Hub, fileId: string, expires: Date): string {
  const seconds = String(Math.floor(expires.getTime() / 1000));
  const signature = sign(hub, fileId, seconds).toString("base64url");
  return `${fileUrl(hub, fileId)}?${new URLSearchParams({ expires: seconds, signature }).toString()}`;
}

/** The file of a signed link: 401 `unauthorized` for a wrong or old signature, then as `findFile`. */
export async function findSignedFile(hub: Hub, id: string, { expires, signature }: LinkSignature): Promise<FileRow> {
  const right = sign(hub, id, expires);
  const given = Buffer.from(signature, "base64url");
  const genuine = given.length === right.length && timingSafeEqual(given, right);
  if (!genuine || !(hub.now().getTime() < Number(expires) * 1000)) {
    throw new AppError("unauthorized", "The link is not valid, or no longer");
  }
  return (await findCopy(hub, id)) ?? findAccountFile(hub, id, null);
}

const sign = (hub: Hub, id: string, expires: string): Buffer =>
  createHmac("sha256", linkKey(hub)).update(`${id}\n${expires}`).digest();

const linkKey = (hub: Hub): Buffer =>
  Buffer.from(hkdfSync("sha256", hub.secret, "", "generation-hub signed file links", 32));
