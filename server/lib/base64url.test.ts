import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { alterEnd } from "../../test/alter-end";
import { decodeBase64Url } from "./base64url";
import { isSignature, signText } from "./signature";

test("decodes bytes of any length, and no other text that means the same to Node's decoder", () => {
  for (let length = 1; length < 40; length += 1) {
    const bytes = randomBytes(length);
    const text = bytes.toString("base64url");
    expect(decodeBase64Url(text)).toEqual(bytes);
    // Where all bits of the last character count, it stands for other bytes.
    for (const altered of alterEnd(text)) expect(decodeBase64Url(altered)?.equals(bytes) ?? false, altered).toBe(false);
    expect(decodeBase64Url(` ${text}`)).toBeNull();
    expect(decodeBase64Url(`${text}A`.slice(0, -1) + "+")).toBeNull();
  }
  expect(decodeBase64Url("")).toEqual(Buffer.alloc(0));
});

test("a signature is one text", () => {
  const secrets = { secret: "a secret of at least thirty-two characters" };
  const signature = signText(secrets, "tests", "text").toString("base64url");
  expect(isSignature(secrets, "tests", "text", signature)).toBe(true);
  for (const altered of ["", ...alterEnd(signature)])
    expect(isSignature(secrets, "tests", "text", altered), altered).toBe(false);
});
