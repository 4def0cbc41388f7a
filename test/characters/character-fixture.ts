import { expect } from "vitest";
import { callApi, type Reply } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import type { Host } from "../api/hosts";
import { insertFile } from "../insert-file";
import { makePng } from "../media/png";

export const CHARACTERS = "/api/v1/hub/characters";
export const GENERATIONS = "/api/v1/hub/generations";

export interface Character {
  id: number;
  status: string;
  generation_id: string;
  estimated_cost: number;
  billed_cost: number | null;
  progress: number | null;
  missing: unknown[];
  model: string | null;
  updated_at: string;
  [field: string]: unknown;
}

/** Creates a customer with an uploaded image, and functions that call the routes of characters. */
export async function openCharacterFixture(host: Host, credit = 10) {
  const customer: Customer = await newCustomer(host.hub, { credit });
  const { key } = customer;
  const file = await insertFile(host.hub, customer.account, await makePng("#c02020"));
  const image = `https://hub.test/api/v1/hub/files/${file}`;
  const send = (method: string, path: string, body?: unknown): Promise<Reply> =>
    callApi(host, method, path, { key, body });
  const post = (id: number, verb: string, body?: unknown) => send("POST", `${CHARACTERS}/${id}/${verb}`, body);
  const getCharacter = async (id: number) => (await send("GET", `${CHARACTERS}/${id}`)).body as Character;

  return {
    customer,
    image,
    send,
    post,
    getCharacter,
    createDraft: async (fields: Record<string, unknown> = {}): Promise<Character> => {
      const body = { name: "Ada", base_model: "sandbox-trainer", images: [image], ...fields };
      const reply = await send("POST", CHARACTERS, body);
      expect(reply.status, JSON.stringify(reply.body)).toBe(201);
      return reply.body as Character;
    },
    start: (id: number, body: unknown = {}) => post(id, "start", body),
    resume: (id: number) => post(id, "resume"),
    cancel: (id: number) => post(id, "cancel"),
    waitForStatus: (id: number, status: string) =>
      expect.poll(async () => (await getCharacter(id)).status, { timeout: 20_000, interval: 50 }).toBe(status),
    getGeneration: async (id: string) => (await send("GET", `${GENERATIONS}/${id}`)).body,
    getAccount: async () => (await send("GET", "/api/v1/me")).body as { balance: number; available: number },
  };
}

export type CharacterFixture = Awaited<ReturnType<typeof openCharacterFixture>>;
