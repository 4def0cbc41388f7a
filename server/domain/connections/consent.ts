import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Ctx } from "../../context";
import { bytea, int4, int8, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { decryptToken, encrypt } from "../../lib/encryption";
import { newId } from "../../lib/id";
import { deriveKeys } from "../../lib/signature";
import { callerSql } from "../accounts/sql";
import { credentialKindOf, forCredentialKinds, getCredentialId, isCallerValid } from "../accounts";
import { parseSpendLimit } from "../keys";
import { hashSecret } from "../credentials";
import type { AuthorizationRequest } from "./authorization-request";
import type { ConnectionsHub } from "./hub";
import { buildRedirect } from "./redirect-uri";
import { getIssuer } from "./resource";

/** How long a person may take to decide. */
const QUESTION_TTL_MS = 600_000;
const CODE_TTL_MS = 60_000;
const CODE_BYTES = 32;

/** The request body that allows a connection. */
export const ConsentInput = z.object({
  question: z.string().max(20_000),
  spend_limit: z.number().positive("must be above zero").max(10_000, "must be at most 10000"),
});

interface Question {
  id: string;
  clientId: string;
  clientName: string;
  redirectUri: string;
  codeChallenge: string;
  state: string | null;
  resource: string;
  expires: number;
}

/**
 * Returns the request encrypted for this session, which its page sends back when the person allows it. So nothing is stored
 * for a page that was only viewed, and only what was shown can be allowed.
 */
export function encryptQuestion(
  ctx: Ctx<ConnectionsHub>,
  { client, redirectUri, codeChallenge, state, resource }: AuthorizationRequest,
): string {
  const question: Question = {
    id: newId(),
    clientId: client.id,
    clientName: client.name,
    redirectUri,
    codeChallenge,
    state,
    resource,
    expires: ctx.hub.now().getTime() + QUESTION_TTL_MS,
  };
  return encrypt(getKeys(ctx)[0]!, ownerOf(ctx), JSON.stringify(question)).toString("base64url");
}

/**
 * Allows a connection with a spend limit in EUR, and returns the address at which its client receives the code. Throws a 400
 * for a question of another session or an expired one, a 409 if it was answered, and a 401 if the session has ended.
 */
export async function allowConnection(
  ctx: Ctx<ConnectionsHub>,
  { question, spend_limit }: z.output<typeof ConsentInput>,
) {
  const { id, clientId, clientName, redirectUri, codeChallenge, state, resource } = openQuestion(ctx, question);
  const limit = parseSpendLimit(spend_limit)!;
  const code = randomBytes(CODE_BYTES).toString("base64url");
  const now = ctx.hub.now();
  const [inserted] = await insertConnection[credentialKindOf(ctx.actor)](
    ctx.hub.db,
    id,
    ctx.account.id,
    clientId,
    clientName,
    redirectUri,
    resource,
    codeChallenge,
    hashSecret(code),
    new Date(now.getTime() + CODE_TTL_MS),
    limit,
    now,
    getCredentialId(ctx.actor),
  );
  if (!inserted && !(await isCallerValid(ctx))) throw new AppError("unauthorized", "This session has ended.");
  if (!inserted) throw new AppError("invalid_state", "This request was already answered. Start again in the app.");
  return { redirect_to: buildRedirect(redirectUri, { code, state, iss: getIssuer(ctx.hub) }) };
}

/** Returns the address at which a client learns that the person denied the connection. */
export const denyConnection = (ctx: Ctx<ConnectionsHub>, { redirectUri, state }: AuthorizationRequest): string =>
  buildRedirect(redirectUri, { error: "access_denied", state, iss: getIssuer(ctx.hub) });

function openQuestion(ctx: Ctx<ConnectionsHub>, encrypted: string): Question {
  const json = decryptToken(getKeys(ctx), ownerOf(ctx), encrypted);
  const question = json === null ? null : (JSON.parse(json) as Question);
  if (question && question.expires > ctx.hub.now().getTime()) return question;
  throw invalidInput("question", "has expired. Start again in the app");
}

const getKeys = ({ hub }: Ctx<ConnectionsHub>) => deriveKeys(hub, "generation-hub consent");
const ownerOf = ({ account, actor }: Ctx<ConnectionsHub>) => `${account.id} ${getCredentialId(actor) ?? ""}`;

const insertConnection = forCredentialKinds((kind) =>
  statement({
    // prettier-ignore
    params: [uuid, int4, text, text, text, text, text, bytea, timestamptz, int8, timestamptz, nullable(uuid)],
    row: { id: uuid },
    text: `
    WITH ${callerSql(kind, "$2", "$12")}
    INSERT INTO connection (id, account_id, client_id, client_name, redirect_uri, resource, code_challenge, code_hash, code_expires_at, spend_limit, created_at, person_id, person_version, account_version)
    SELECT $1, caller.id, $3, $4, $5, $6, $7, $8, $9, $10, $11, person.id, person.session_version, account.session_version
    FROM caller JOIN account ON account.id = caller.id LEFT JOIN person ON person.id = caller.person_id
    ON CONFLICT (id) DO NOTHING RETURNING id`,
  }),
);
