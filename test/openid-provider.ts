import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { text } from "node:stream/consumers";
import { serveRequests } from "./serve-requests";

/** The claims of a user. */
export interface Claims {
  sub: string;
  email?: string;
  email_verified?: boolean;
}

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

function signToken(claims: object): string {
  const signed = `${encode({ alg: "RS256", kid: "1", typ: "JWT" })}.${encode(claims)}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
}

/** Opens a real OpenID provider on loopback, which signs in whomever the test names. */
export async function openOpenIdProvider() {
  const grants = new Map<string, { claims: Claims; nonce: string; challenge: string; client: string }>();
  const issuer = await serveRequests((request, response) => {
    void handleRequest(request.url!, request).then((body) => {
      response.writeHead(body ? 200 : 400, { "content-type": "application/json" }).end(JSON.stringify(body ?? {}));
    });
  });

  async function handleRequest(path: string, body: NodeJS.ReadableStream): Promise<object | null> {
    if (path === "/jwks")
      return { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }] };
    if (path === "/.well-known/openid-configuration") {
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
      };
    }
    const sent = new URLSearchParams(await text(body));
    const grant = grants.get(sent.get("code") ?? "");
    grants.delete(sent.get("code") ?? "");
    const proof = createHash("sha256")
      .update(sent.get("code_verifier") ?? "")
      .digest("base64url");
    if (!grant || proof !== grant.challenge) return null;
    const now = Math.floor(Date.now() / 1000);
    const claims = { ...grant.claims, iss: issuer, aud: grant.client, nonce: grant.nonce, iat: now, exp: now + 60 };
    return { access_token: "access", token_type: "Bearer", id_token: signToken(claims) };
  }

  return {
    issuer,
    /** Consents at the URL to which the hub sent the browser, and returns the parameters of the callback. */
    consent(authorize: string, claims: Claims): URLSearchParams {
      const params = new URL(authorize).searchParams;
      const code = randomBytes(8).toString("hex");
      const [nonce, challenge, client] = ["nonce", "code_challenge", "client_id"].map((name) => params.get(name)!);
      grants.set(code, { claims, nonce: nonce!, challenge: challenge!, client: client! });
      return new URLSearchParams({ code, state: params.get("state")! });
    },
  };
}
