import type { Api } from "./api";
import { findCheapestPicture, type ServedModels } from "./find-cheapest";
import { checkBalance, downloadOutput, type Generation, waitForSuccess } from "./generation";
import { printStep } from "./print-step";

const TIMEOUT_SECONDS = 600;

interface Attempt {
  route: string;
  outcome: string | null;
  cost: number | null;
}

/** Requests one picture from a provider, the cheapest that its models offer, which costs the operator money. */
export async function runProviderTour(api: Api, served: ServedModels): Promise<void> {
  const before = await api.get<{ balance: number }>("/me");
  const { estimate, ...request } = await findCheapestPicture(api, served);
  printStep(
    `The cheapest picture is one of ${request.model}: at most ${estimate} EUR of the tour's ${before.balance}.`,
  );
  const startedAt = performance.now();
  const { body } = await api.post<Generation>("/hub/generations", request, { "idempotency-key": crypto.randomUUID() });
  printStep(`Generation ${body.id} is ${body.status}.`);
  const generation = await waitForSuccess(api, body.id, TIMEOUT_SECONDS);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  printStep(`The generation succeeded after ${seconds} s and was billed ${generation.billed_cost} EUR.`);
  const { data } = await api.get<{ data: Attempt[] }>(`/hub/generations/${body.id}/attempts`);
  for (const { route, outcome, cost } of data)
    printStep(
      `The attempt at ${route} ${outcome}; it cost you ${cost === null ? "an unknown amount" : `${cost} EUR`}.`,
    );
  await downloadOutput(api, generation);
  const after = await api.get<{ balance: number }>("/me");
  checkBalance(before.balance, after.balance, generation.billed_cost!);
}
