import { AppError } from "../../errors";

/** Throws 415 for a body in an encoding such as gzip. The hub decodes none, because limits count the bytes that arrive. */
export function rejectEncodedBody({ headers }: Request): void {
  const encoding = headers.get("content-encoding") ?? "";
  if (/^(identity)?$/i.test(encoding.trim())) return;
  const message = "must be left out: send the body as it is, without compression";
  throw new AppError(
    "unsupported_media_type",
    `Content-Encoding: ${message}`,
    { errors: { "Content-Encoding": [message] } },
    { "Accept-Encoding": "identity" },
  );
}
