import { createHash, randomBytes } from "node:crypto";
import { allowConnection, encryptQuestion } from "../../server/domain/connections/consent";
import { exchangeCode } from "../../server/domain/connections/exchange-code";
import { registerClient } from "../../server/domain/connections/client";
import { getResource } from "../../server/domain/connections/resource";
import { findKey } from "../../server/domain/credentials/authenticate";
import type { SessionCtx } from "../../server/domain/sessions/resolve-session";
import type { Customer } from "../api/customer";
import type { TestHub } from "../hub";
import { ownerSession } from "../session";

export const REDIRECT_URI = "http://127.0.0.1:7777/callback";

/** Returns a verifier of PKCE and its challenge. */
export function newPkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** Connects an app to the account, and returns its key. */
export async function connectApp(hub: TestHub, customer: Customer, spendLimit = 5, name = "Agent") {
  const answer = await allowApp(hub, await ownerSession(hub, customer.account), spendLimit, name);
  const { secret } = await exchangeCode(hub, answer);
  return { key: secret, keyId: (await findKey(hub, secret))!.actor.id };
}

/** Allows an app by a session, and returns what the app sends to exchange its code. */
export async function allowApp(hub: TestHub, ctx: SessionCtx<TestHub>, spendLimit = 5, name = "Agent") {
  const client = registerClient(hub, { redirect_uris: [REDIRECT_URI], client_name: name });
  const { verifier, challenge } = newPkce();
  const request = {
    client,
    redirectUri: REDIRECT_URI,
    codeChallenge: challenge,
    state: null,
    resource: getResource(hub),
  };
  const question = encryptQuestion(ctx, request);
  const { redirect_to } = await allowConnection(ctx, { question, spend_limit: spendLimit });
  const code = new URL(redirect_to).searchParams.get("code")!;
  return { code, client_id: client.id, redirect_uri: REDIRECT_URI, code_verifier: verifier };
}
