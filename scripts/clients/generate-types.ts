import { readFile } from "node:fs/promises";
import openapiTypescript, { astToString } from "openapi-typescript";
import ts from "typescript";
import { createClientDocument } from "./client-document";
import { generateBlockingClient } from "./generate-blocking-client";
import { generatePython } from "./generate-python";

const NOTE = "Generated from the hub's OpenAPI document by `npm run clients`. Do not edit.";

/** Returns what each generated file should contain, by its path. */
export async function generateTypes(): Promise<Record<string, string>> {
  const document = createClientDocument();
  const ast = await openapiTypescript(document as unknown as Parameters<typeof openapiTypescript>[0], {
    silent: true,
    transform: ({ format }) => (format === "binary" ? ts.factory.createTypeReferenceNode("Blob") : undefined),
  });
  const awaited = await readFile("clients/python/src/generation_hub/async_client.py", "utf8");
  return {
    "clients/typescript/src/api.ts": `// ${NOTE}\n${astToString(ast)}`,
    "clients/python/src/generation_hub/api_types.py": `"""${NOTE}"""\n\n${generatePython(document)}`,
    "clients/python/src/generation_hub/client.py": generateBlockingClient(awaited),
  };
}
