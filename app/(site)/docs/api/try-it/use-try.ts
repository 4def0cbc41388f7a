"use client";

import { useState } from "react";
import { buildRequest } from "./build-request";
import { estimateCost } from "./estimate-cost";
import { sendRequest, type TriedRequest, type TriedResponse } from "./send-request";
import { useTokens } from "./tokens";
import type { TriableOperation } from "./triable-operation";

type Phase =
  | { name: "editing" }
  | { name: "pricing" }
  | { name: "confirming"; request: TriedRequest; cost: number | null }
  | { name: "sending" };

const EDITING: Phase = { name: "editing" };
const NO_RESPONSE = "No response arrived. The hub may have received the request: check before you send it again.";

/** Holds the form of an operation. A charged request is sent only after its price has been confirmed. */
export function useTry(operation: TriableOperation) {
  const { operationId, parameters, body, credential, isCharged } = operation;
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
  const submit = () => {
    const token = credential === "key" || credential === "worker" ? tokens[credential].trim() || null : null;
    const request = buildRequest(operation, { values, text, file, token });
    if (typeof request === "string") return setError(request);
    if (!isCharged) return void sendNow(request);
    void run(async () => {
      setPhase({ name: "pricing" });
      setPhase({ name: "confirming", request, cost: await estimateCost(operationId, request) });
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
    // The dialog also closes once it was confirmed.
    cancel: () => setPhase((now) => (now.name === "confirming" ? EDITING : now)),
  };
}
