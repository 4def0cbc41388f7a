/** Programs that verify with the Standard Webhooks libraries, which also reject events older than five minutes. */
export const byLibrary = [
  {
    value: "typescript" as const,
    label: "TypeScript",
    code: `// npm install standardwebhooks
import { Webhook } from "standardwebhooks";

/** Returns the event in this raw body. Throws unless the hub signed it with this secret within the last minutes. */
export function readEvent(secret: string, headers: Record<string, string>, body: string) {
  return new Webhook(secret).verify(body, headers) as {
    id: string;
    event: string;
    data: { id: string; status: string; outputs: { url: string }[] };
  };
}`,
  },
  {
    value: "python" as const,
    label: "Python",
    code: `# pip install standardwebhooks
from standardwebhooks.webhooks import Webhook


def read_event(secret: str, headers: dict, body: str) -> dict:
    """Returns the event in this raw body. Raises unless the hub signed it with this secret within the last minutes."""
    return Webhook(secret).verify(body, headers)`,
  },
];

/** Programs that verify with only the standard library; docs/webhooks.md has the same programs. */
export const byHand = [
  {
    value: "typescript" as const,
    label: "TypeScript",
    code: `import { createHmac, timingSafeEqual } from "node:crypto";

/** \`headers\` as Node gives them, in lower case; \`body\` is the raw body. */
export function isGenuine(secret: string, headers: Record<string, string | undefined>, body: Buffer): boolean {
  const expected = Buffer.from(\`sha256=\${createHmac("sha256", secret).update(body).digest("hex")}\`);
  return ["x-service-signature", "x-service-signature-previous"].some((name) => {
    const given = Buffer.from(headers[name] ?? "");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`,
  },
  {
    value: "python" as const,
    label: "Python",
    code: `import hashlib
import hmac


def is_genuine(secret: str, headers: dict, body: bytes) -> bool:
    """\`headers\` with names in lower case; \`body\` is the raw body."""
    expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    given = [headers.get(name, "") for name in ("x-service-signature", "x-service-signature-previous")]
    return any([hmac.compare_digest(one.encode(), expected.encode()) for one in given])`,
  },
];
