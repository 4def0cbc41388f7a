import { getPageApi } from "@/server/hub";
import type { Session } from "@/server/trpc/procedure";
import { exampleInputs } from "../../parameters/example-inputs";

interface FirstRun {
  model: string;
  input: Record<string, unknown>;
}

const CHAT = { messages: [{ role: "user", content: "Write a haiku about the sea." }] };

/**
 * Returns what to try first: of the models that make pictures, else of the others, the one with the cheapest example that
 * the hub would accept now; null if there is none.
 */
export async function chooseFirstRun(session: Session): Promise<FirstRun | null> {
  const { findPrice, isTrainer, listModels } = await getPageApi();
  const models = listModels(session).filter((model) => !isTrainer(model));
  const runs = models.flatMap(({ id, isLlm, parametersSchema, outputModalities }) => {
    const inputs = isLlm
      ? [CHAT]
      : exampleInputs(parametersSchema).flatMap(({ input, missing }) => (missing.length === 0 ? [input] : []));
    return inputs.flatMap((input) => {
      const price = findPrice(session, id, input);
      return price === null ? [] : [{ model: id, input, price, isPicture: outputModalities.includes("image") }];
    });
  });
  const [first] = runs.sort((one, other) => Number(other.isPicture) - Number(one.isPicture) || one.price - other.price);
  return first ? { model: first.model, input: first.input } : null;
}
