import type { Credential, SampleBody } from "../../../../code-samples/sample-request";
import { type Operation, type Parameter } from "../../document";
import { exampleOf } from "../../example-of";
import { credentialOf, sampleRequest } from "../../sample-request";

/** A parameter as the form shows it. */
interface TriableParameter {
  name: string;
  location: Parameter["in"];
  required: boolean;
  /** The example of a required parameter. */
  value: string;
  hint: string;
}

/** What the form that sends a request needs to know about its operation. */
export interface TriableOperation {
  operationId: string;
  method: string;
  /** Path with `{name}` for its parameters. */
  path: string;
  summary: string;
  parameters: TriableParameter[];
  body: SampleBody | null;
  credential: Credential | null;
  /** Whether the console's session may be sent instead of a key. */
  acceptsSession: boolean;
  /** Whether a request is charged to the balance. */
  isCharged: boolean;
}

/** Returns what the form needs, with the values of the example request. */
export function triableOperation(operation: Operation): TriableOperation {
  const { operationId, method, path, summary, parameters = [], security = [], responses } = operation;
  const credential = credentialOf(operation);
  return {
    operationId,
    method,
    path,
    summary,
    // The form sets this header itself.
    parameters: parameters.filter(({ name }) => name !== "X-Requested-With").map(toTriableParameter),
    body: sampleRequest(operation).body,
    credential,
    acceptsSession: security.some((one) => "session" in one),
    isCharged: "402" in responses && credential === "key",
  };
}

const toTriableParameter = ({ name, in: location, required, description, schema }: Parameter): TriableParameter => ({
  name,
  location,
  required: required === true,
  value: required ? String(exampleOf(schema)) : "",
  hint: (description ?? schema.description ?? "").replaceAll("`", ""),
});
