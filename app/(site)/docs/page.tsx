import { Link } from "../../ui/link";
import { info, tags } from "./document";
import { listedOperations } from "./listed-operation";
import { OperationIndex } from "./operation-index";
import { Prose } from "./prose";

export const metadata = { title: "API" };

/** Lists every operation of the API, from the document that /api/v1/openapi.json returns. */
export default function Docs() {
  return (
    <article className="mx-auto max-w-4xl">
      <h1 className="mt-10 mb-4 text-3xl font-semibold tracking-tight">API</h1>
      <p className="mb-4 leading-7 text-soft">
        <Prose>{info.description}</Prose>
      </p>
      <p className="mb-8 leading-7">
        Send requests from any operation&apos;s page, generate clients from the{" "}
        <a href="/api/v1/openapi.json">OpenAPI document</a>, and look up every type under{" "}
        <Link href="/docs/api/schemas">schemas</Link>. The paths of OpenAI&apos;s API have{" "}
        <a href="/v1/openapi.json">their own document</a>, and so has the{" "}
        <Link href="/docs/api/management">management API</Link> for operators&apos; programs:{" "}
        <a href="/api/v1/admin/openapi.json">its document</a>.
      </p>
      <OperationIndex operations={listedOperations} tags={tags} />
    </article>
  );
}
