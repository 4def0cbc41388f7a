import type { IncomingHttpHeaders } from "node:http";
import { verify } from "@octokit/webhooks-methods";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { expect } from "vitest";

/** Returns which third-party verifiers accept a message. */
export async function verifyWithEach(
  secret: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<Record<"octokit" | "standardwebhooks" | "svix", boolean>> {
  const text = body.toString();
  const plain = headers as Record<string, string>;
  const isAccepted = (check: () => unknown) => {
    try {
      check();
      return true;
    } catch {
      return false;
    }
  };
  return {
    octokit: await verify(secret, text, String(headers["x-service-signature"])),
    standardwebhooks: isAccepted(() => new StandardWebhook(secret).verify(text, plain)),
    svix: isAccepted(() => new SvixWebhook(secret).verify(text, plain)),
  };
}

/** Fails unless all of them accept the message. */
export async function verifyEverywhere(secret: string, headers: IncomingHttpHeaders, body: Buffer): Promise<void> {
  expect(await verifyWithEach(secret, headers, body)).toEqual({ octokit: true, standardwebhooks: true, svix: true });
}
