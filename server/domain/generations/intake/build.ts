import type { Model } from "../../../catalogue/model";
import type { Ctx } from "../../../context";
import { AppError, invalidInput } from "../../../errors";
import { newId } from "../../../lib/id";
import { toEuros } from "../../../lib/money";
import { createPacer } from "../../../lib/pace";
import type { OwnWebhookRequest } from "../../endpoints";
import { chooseLabels, hashEndUser } from "../../labels";
import { checkInput, rejectInput, type Root } from "../../model-inputs";
import { getModel } from "../../models";
import { type Estimate, estimateCost } from "../../pricing";
import { openQuote } from "../../quotes";
import { keepsNothing } from "../../retention";
import {
  checkCharacter,
  checkOutsideInputs,
  type FileReference,
  findFileReferences,
  findMissing,
  type Missing,
  selectMissing,
} from "../../references";
import { chooseRoutes } from "../../routing";
import type { Idempotency } from "../replay";
import { type Generation, type Priority, toRank } from "../row";
import { checkHighPriority } from "./check-high-priority";
import type { IntakeHub } from "./hub";
import type { NewGeneration } from "./new-generation";

const HOUR_MS = 3_600_000;
/** Maximum number of file references in a batch, because checking them does not yield to the event loop. */
const MAX_REFERENCES = 5_000;

export interface GenerationRequest {
  model: string;
  input: Record<string, unknown>;
  batch_id?: string;
  webhook?: OwnWebhookRequest;
  priority?: Priority;
  /** The id of a quote of the same model and input. */
  quote?: string;
}

/**
 * Builds a generation from a request: validates it, chooses its route and prices it, but holds nothing. `root` is the
 * location of its input in the request body, `input` by default. Throws, in this order, 404, 400, 409 of the quote, and 422.
 */
export async function buildGeneration(
  ctx: Ctx<IntakeHub>,
  { model: modelId, input, batch_id, priority, quote }: GenerationRequest,
  { idempotency, root = "input" }: { idempotency: Idempotency | null; root?: Root },
): Promise<NewGeneration> {
  const model = await getMediaModel(ctx, modelId, priority);
  checkInput(model, input, root);
  await checkCharacter(ctx, model, input, root);
  const now = ctx.hub.now();
  const id = newId();
  const references = findFileReferences(model.parametersSchema, input);
  const missing = await findMissing(ctx, references, now, root);
  const estimate = quote === undefined ? undefined : await requireQuote(ctx, model, input, quote);
  const checked = { id, input, references, missing, batch_id, priority, estimate, now, idempotency, root };
  return composeGeneration(ctx, model, checked);
}

/** Returns the price of a quote. Throws 409 `quote_expired` with today's estimate if the quote is not valid for the request. */
async function requireQuote(
  ctx: Ctx<IntakeHub>,
  model: Model,
  input: GenerationRequest["input"],
  quote: string,
): Promise<Estimate> {
  const quoted = await openQuote(ctx, { model, input }, quote);
  if (quoted) return quoted;
  const estimated_cost = toEuros(estimateCost(ctx.hub, model, input).cost);
  const detail = `The quote has expired or is for another request. This costs ${estimated_cost} EUR now.`;
  throw new AppError("quote_expired", detail, { estimated_cost });
}

/** Builds the generations of a batch like `buildGeneration`, but looks up the files of all inputs at once. */
export async function buildGenerations(
  ctx: Ctx<IntakeHub>,
  {
    model: modelId,
    inputs,
    batch_id,
    priority,
  }: Omit<GenerationRequest, "input" | "webhook" | "quote"> & { inputs: GenerationRequest["input"][] },
): Promise<NewGeneration[]> {
  const model = await getMediaModel(ctx, modelId, priority);
  const pause = createPacer();
  const now = ctx.hub.now();
  const ids = inputs.map(() => newId());
  const references: FileReference[][] = [];
  const characters = new Set<unknown>();
  let count = 0;
  for (const [n, input] of inputs.entries()) {
    await pause();
    checkInput(model, input, `inputs.${n}`);
    if (!characters.has(input.character)) await checkCharacter(ctx, model, input, `inputs.${n}`);
    characters.add(input.character);
    const found = findFileReferences(model.parametersSchema, input);
    references.push(found);
    count += found.length;
    if (count > MAX_REFERENCES) rejectInput("inputs", [["", `may refer to files at ${MAX_REFERENCES} places in all`]]);
  }
  const placed = references.flatMap((found, n) => found.map((one) => ({ ...one, place: `${n}.${one.place}` })));
  const missing = new Set((await findMissing(ctx, placed, now, "inputs")).map(({ sha256 }) => sha256));
  const generations: NewGeneration[] = [];
  for (const [n, input] of inputs.entries()) {
    await pause();
    const own = { id: ids[n]!, references: references[n]!, missing: selectMissing(references[n]!, missing) };
    generations.push(
      composeGeneration(ctx, model, { input, ...own, batch_id, priority, now, idempotency: null, root: `inputs.${n}` }),
    );
  }
  return generations;
}

async function getMediaModel(ctx: Ctx<IntakeHub>, id: string, priority?: Priority): Promise<Model> {
  const model = getModel(ctx, id);
  if (priority === "high") await checkHighPriority(ctx);
  if (model.isLlm) throw invalidInput("model", "is a text model: call POST /api/v1/hub/chat/completions");
  return model;
}

/** A checked input, and what else its generation depends on. */
interface Checked extends Omit<GenerationRequest, "model" | "webhook" | "quote"> {
  id: string;
  /** The estimate of a quote; by default the current one. */
  estimate?: Estimate;
  references: FileReference[];
  missing: Missing[];
  now: Date;
  idempotency: Idempotency | null;
  root: Root;
}

function composeGeneration(
  ctx: Ctx<IntakeHub>,
  model: Model,
  { id, input, references, missing, batch_id, priority = "normal", estimate, now, idempotency, root }: Checked,
): NewGeneration {
  const awaitsFiles = missing.length > 0;
  const [route] = chooseRoutes(ctx.hub, model, input);
  const { cost, price } = estimate ?? estimateCost(ctx.hub, model, input);
  const provider = route!.provider.kind;
  const generation = newGeneration(ctx, model, idempotency, {
    id,
    status: awaitsFiles ? "awaiting_supply" : "queued",
    input,
    estimated_cost: cost,
    price,
    provider,
    batch_id: batch_id ?? null,
    priority: toRank(priority),
    created_at: now,
    deadline_at: awaitsFiles ? new Date(now.getTime() + ctx.hub.env.SUPPLY_TTL_HOURS * HOUR_MS) : null,
    missing,
  });
  if (provider !== "worker") return generation;
  return { ...generation, external_inputs: checkOutsideInputs(ctx.hub, references, root) };
}

/**
 * The fields in which new generations differ; the optional ones are null by default. Make the id right after the time of
 * `created_at` is read, without an await between them: lists are sorted by id and must be newest first by time too.
 */
type NewFields = Pick<
  Generation,
  "id" | "status" | "input" | "estimated_cost" | "price" | "provider" | "missing" | "created_at"
> &
  Partial<Pick<Generation, "batch_id" | "priority" | "started_at" | "deadline_at">>;

/**
 * Returns a new generation of the caller with the labels of the request, which is not inserted yet. Throws 400 without an end
 * user if the key requires one.
 */
export const newGeneration = (
  ctx: Ctx<IntakeHub>,
  model: Model,
  idempotency: Idempotency | null,
  fields: NewFields,
): NewGeneration => ({
  account_id: ctx.account.id,
  key_id: ctx.actor.kind === "key" ? ctx.actor.id : null,
  person_id: ctx.actor.kind === "user" ? (ctx.actor.person?.id ?? null) : null,
  ...hashLabels(ctx, chooseLabels(ctx)),
  keeps_nothing: keepsNothing(ctx),
  model: model.id,
  is_llm: model.isLlm,
  billed_cost: null,
  batch_id: null,
  priority: 0,
  idempotency_key: idempotency?.key ?? null,
  fingerprint: idempotency?.fingerprint ?? null,
  progress: null,
  error: null,
  erased_at: null,
  run_id: null,
  timeout_seconds: model.timeoutSeconds,
  started_at: null,
  deadline_at: null,
  completed_at: null,
  input_tokens: null,
  output_tokens: null,
  token_classes: null,
  outputs: [],
  ...fields,
});

/** Returns labels with the hash by which budgets count their end user. */
const hashLabels = <L extends { end_user: string | null }>({ hub, account }: Ctx<IntakeHub>, labels: L) => ({
  ...labels,
  end_user_hash: labels.end_user === null ? null : hashEndUser(hub, account.id, labels.end_user),
});
