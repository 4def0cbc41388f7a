import { createHash, randomBytes } from "node:crypto";
import { request } from "node:http";
import { formEnd, formStart, formType } from "../api/form";

const MIB = 1024 * 1024;

type StoredFile = Record<"id" | "sha256", string>;

/** Uploads a generated text of this many bytes. Returns the response, and the SHA-256 of what was sent. */
export function upload(
  { url, key }: { url: string; key: string },
  size: number,
): Promise<{ status: number; body: StoredFile; sha256: string }> {
  const hash = createHash("sha256");
  return new Promise((resolve, reject) => {
    const asking = request(
      `${url}/api/v1/hub/files`,
      { method: "POST", headers: { authorization: `Bearer ${key}`, "content-type": formType } },
      (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => (text += chunk.toString())).once("error", reject);
        response.once("end", () =>
          resolve({ status: response.statusCode!, body: JSON.parse(text) as StoredFile, sha256: hash.digest("hex") }),
        );
      },
    );
    asking.once("error", reject).write(formStart());
    const write = (remaining: number) => {
      if (remaining === 0) return void asking.end(formEnd);
      const chunk = Buffer.from(randomBytes(Math.ceil(Math.min(remaining, MIB) / 2)).toString("hex")).subarray(
        0,
        remaining,
      );
      hash.update(chunk);
      asking.write(chunk, () => write(remaining - chunk.length));
    };
    write(size);
  });
}
