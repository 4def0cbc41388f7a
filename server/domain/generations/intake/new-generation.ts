import type { AccountLimits } from "../../../context";
import type { OwnWebhook } from "../../endpoints";
import type { Generation, VideoRequest } from "../row";
import { collectWords, toLabelWords } from "../search";

/** The additional columns of a character's training. */
export interface Training {
  character_id: number;
  character_version: number;
  /** The state of an earlier training from which this one resumes. */
  checkpoint: unknown;
}

/** The additional columns of a chat. */
export interface Joinable {
  /** The digest of its request, if a retry may join it. */
  request_digest: Buffer | null;
}

/** The caller's account as it was when its key was looked up. */
interface Caller {
  limits?: AccountLimits | null;
}

/** The additional columns of a request to a route outside the specified API, such as OpenAI's. */
export interface FacadeFields {
  /** The route whose idempotency keys are a separate scope. */
  facade?: string;
  /** When the claim of the request that waits for the generation expires. */
  joinable_at?: Date;
  /** Makes it a video of `/v1/videos`. */
  video?: VideoRequest;
}

/** A generation to insert. */
export type NewGeneration = Generation & {
  /** External URLs to fetch before a worker can claim it. */
  external_inputs?: string[];
  webhook?: OwnWebhook | null;
  keeps_nothing?: boolean;
  /** The person who started it in the console. */
  person_id?: number | null;
  /** Hash of the end user, by which budgets count. */
  end_user_hash?: Buffer | null;
};

/** A generation to insert with everything that its kind adds. */
export type GenerationInsert = NewGeneration & Partial<Training & Joinable> & FacadeFields & Caller;

/** Returns the words by which a generation is found. */
export const listWords = (generation: GenerationInsert): string[] => [
  ...collectWords(generation.account_id, generation.input),
  ...toLabelWords(generation),
];
