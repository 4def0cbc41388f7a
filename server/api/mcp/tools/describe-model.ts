import { z } from "zod";
import { exampleInput } from "../../../domain/model-inputs";
import { getModel, serializeModel, serializePrices } from "../../../domain/models";
import * as schemas from "../schemas";
import { defineTool, readOnly } from "../tool";

export const describeModelTool = defineTool({
  name: "describe_model",
  title: "Describe a model",
  description: "Returns the parameters of a model as JSON Schema, its prices, and an example of a call of generate.",
  annotations: readOnly,
  input: z.object({ id: schemas.modelId }),
  output: z.object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    input_modalities: z.array(z.string()),
    output_modalities: z.array(z.string()),
    prices: z.record(z.string(), z.unknown()).describe("In EUR; of tiers, the first that matches the input applies"),
    input_schema: z.record(z.string(), z.unknown()).describe("JSON Schema of input"),
    example: z.object({ model: z.string(), input: z.record(z.string(), z.unknown()) }),
  }),
  handler({ ctx }, { id }) {
    const model = getModel(ctx, id);
    const { name, description, input_modalities, output_modalities, parameters_schema } = serializeModel(model);
    return {
      output: {
        id,
        name,
        description,
        input_modalities,
        output_modalities,
        prices: serializePrices(ctx.hub, model),
        input_schema: parameters_schema,
        example: { model: id, input: exampleInput(model) },
      },
    };
  },
});
