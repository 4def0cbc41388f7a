import { sendRequest, type TriedRequest } from "./send-request";

/**
 * Returns the most that a charged request can cost in EUR, asked of the hub with the same key. Returns null if the hub
 * does not say, such as for an input that it rejects.
 */
export async function estimateCost(operationId: string, request: TriedRequest): Promise<number | null> {
  const question = questionOf(operationId, request);
  if (!question) return null;
  const { content } = await sendRequest({ ...question, token: request.token });
  if (content?.kind !== "text") return null;
  const { estimated_cost: cost } = JSON.parse(content.text) as { estimated_cost?: number | null };
  return cost ?? null;
}

/** Returns the free request that names the price of a charged one. */
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
