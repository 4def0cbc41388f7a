import type { Operation } from "./document";
import { Fields, TypeName } from "./fields";
import { Prose } from "./prose";

export const anchorOf = ({ method, path }: Operation): string =>
  `${method}${path}`.replace(/[^A-Za-z0-9]+/g, "-").toLowerCase();

/** One public operation, as its declaration says. */
export function Entry({ of }: { of: Operation }) {
  const body = Object.entries(of.requestBody?.content ?? {})[0];
  const isOpen = of.security?.length === 0 || of.security === undefined;
  return (
    <section id={anchorOf(of)} className="entry">
      <h3>
        <span className={`method ${of.method.toLowerCase()}`}>{of.method}</span> <code>{of.path}</code>
      </h3>
      <p className="title">{of.summary}</p>
      {of.description && (
        <p>
          <Prose>{of.description}</Prose>
        </p>
      )}
      {isOpen && <p>No authentication.</p>}
      {of.parameters && (
        <Fields of={of.parameters.map((one) => ({ ...one, place: one.in, required: one.required === true }))} />
      )}
      {body && (
        <p>
          Body: <TypeName of={body[1].schema} /> as <code>{body[0]}</code>
        </p>
      )}
      <ul className="answers">
        {Object.entries(of.responses).map(([status, response]) => (
          <li key={status}>
            <span className="status">{status}</span> <Prose>{response.description}</Prose>{" "}
            <Answer content={response.content} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Answer({ content }: Pick<Operation["responses"][string], "content">) {
  const schema = Object.values(content ?? {})[0]?.schema;
  return schema?.$ref ? <TypeName of={schema} /> : null;
}
