import type { Operation } from "./document";
import { Fields, Prose, TypeName } from "./fields";
export const anchorOf = ({ method, path }: Operation): string =>
  `${method}${path}`.replace(/[^A-Za-z0-9]+/g, "-").toLowerCase();

/** Documents one operation. */
export function OperationEntry({ operation }: { operation: Operation }) {
  const body = Object.entries(operation.requestBody?.content ?? {})[0];
  const isPublic = operation.security?.length === 0 || operation.security === undefined;
  return (
    <section id={anchorOf(operation)} className="entry">
      <h3>
        <span className={`method ${operation.method.toLowerCase()}`}>{operation.method}</span>{" "}
        <code>{operation.path}</code>
      </h3>
      <p className="title">{operation.summary}</p>
      {operation.description && (
        <p>
          <Prose>{operation.description}</Prose>
        </p>
      )}
      {isPublic && <p>No authentication.</p>}
      {operation.parameters && (
        <Fields
          fields={operation.parameters.map((one) => ({ ...one, location: one.in, required: one.required === true }))}
        />
      )}
      {body && (
        <p>
          Body: <TypeName schema={body[1].schema} /> as <code>{body[0]}</code>
        </p>
      )}
      <ul className="answers">
        {Object.entries(operation.responses).map(([status, response]) => (
          <li key={status}>
            <span className="status">{status}</span> <Prose>{response.description}</Prose>{" "}
            <ResponseSchema content={response.content} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ResponseSchema({ content }: Pick<Operation["responses"][string], "content">) {
  const schema = Object.values(content ?? {})[0]?.schema;
  return schema?.$ref ? <TypeName schema={schema} /> : null;
}
