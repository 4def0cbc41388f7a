"use client";

import { useState } from "react";
import { buildRequest } from "./build-request";
import { sendRequest, type TriedRequest, type TriedResponse } from "./send-request";
import { getTemporaryKey } from "./temporary-key";
import { useTokens } from "./tokens";
import type { TriableOperation } from "./triable-operation";

type Phase =
  | { name: "editing" }
  | { name: "pricing" }
  | { name: "confirming"; request: TriedRequest; cost: number | null }
  | { name: "sending" };

const EDITING: Phase = { name: "editing" };
/** Stands for a temporary key until the request is known to be complete. */
const PENDING_KEY = "temporary";
const NO_KEY = "A temporary key could not be created. Try again, or enter an API key.";
const NO_RESPONSE = "No response arrived. The hub may have received the request: check before you send it again.";

/** Holds the form of an operation. A charged request is sent only after its price has been confirmed. */
export function useTry(operation: TriableOperation, isSignedIn: boolean) {
  const { operationId, parameters, body, credential, acceptsSession, isCharged } = operation;
  const [values, setValues] = useState(() => Object.fromEntries(parameters.map(({ name, value }) => [name, value])));
  const [text, setText] = useState(body?.kind === "json" ? JSON.stringify(body.value, null, 2) : "");
  const [file, setFile] = useState<File | null>(null);
  const [phase, setPhase] = useState<Phase>(EDITING);
  const [error, setError] = useState<string | null>(null);
  const [response, setResponse] = useState<TriedResponse | null>(null);
  const tokens = useTokens();

  const run = async (work: () => Promise<void>) => {
    setError(null);
    setResponse(null);
    await work().catch(() => {
      setError(NO_RESPONSE);
      setPhase(EDITING);
    });
  };
  const sendNow = (request: TriedRequest) =>
    run(async () => {
      setPhase({ name: "sending" });
      setResponse(await sendRequest(request));
      setPhase(EDITING);
    });
  /** Sends a request that is free, and asks before one that is charged. */
  const offer = async (request: TriedRequest) => {
    if (isCharged) return setPhase({ name: "confirming", request, cost: await estimateCost(operationId, request) });
    setResponse(await sendRequest(request));
    setPhase(EDITING);
  };
  const submit = () => {
    const entered = credential && credential !== "session" ? tokens[credential].trim() || null : null;
    const needsKey = credential === "key" && entered === null && isSignedIn && !acceptsSession;
    const request = buildRequest(operation, { values, text, file, token: needsKey ? PENDING_KEY : entered });
    if (typeof request === "string") return setError(request);
    void run(async () => {
      setPhase(isCharged ? { name: "pricing" } : { name: "sending" });
      const token = needsKey ? await getTemporaryKey().catch(() => null) : request.token;
      if (needsKey && token === null) {
        setPhase(EDITING);
        return setError(NO_KEY);
      }
      await offer({ ...request, token });
    });
  };
  return {
    values,
    text,
    setText,
    setFile,
    phase,
    error,
    response,
    submit,
    setValue: (name: string, value: string) => setValues({ ...values, [name]: value }),
    send: () => phase.name === "confirming" && void sendNow(phase.request),
    // The dialog also closes after a confirmation.
    cancel: () => setPhase((now) => (now.name === "confirming" ? EDITING : now)),
  };
}

/**
 * Returns the maximum cost of a charged request in EUR, which the hub estimates with the same key; null if it cannot, for
 * example for an input that it rejects.
 */
async function estimateCost(operationId: string, request: TriedRequest): Promise<number | null> {
  const question = questionOf(operationId, request);
  if (!question) return null;
  const { content } = await sendRequest({ ...question, token: request.token });
  if (content?.kind !== "text") return null;
  const { estimated_cost: cost } = JSON.parse(content.text) as { estimated_cost?: number | null };
  return cost ?? null;
}

/** Returns the free request that estimates a charged one. */
function questionOf(operationId: string, { path, body }: TriedRequest): Omit<TriedRequest, "token"> | null {
  if (operationId === "startCharacter" || operationId === "resumeCharacter")
    return { method: "GET", path: path.replace(/\/\w+$/, ""), headers: {} };
  const { model, input, ...members } = readObject(body);
  if (typeof model !== "string") return null;
  return {
    method: "POST",
    path: `/api/v1/hub/models/${encodeURIComponent(model)}/pricing`,
    headers: { "Content-Type": "application/json" },
    // A chat's input is its body.
    body: JSON.stringify({ input: operationId === "completeChat" ? members : input }),
  };
}

function readObject(body: BodyInit | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(typeof body === "string" ? body : "");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
