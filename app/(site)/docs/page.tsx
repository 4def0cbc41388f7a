import type { Metadata } from "next";
import { info, operations, schemas, tags } from "./document";
import { anchorOf, OperationEntry } from "./entry";
import { Fields, fieldsOf, Prose, TypeName } from "./fields";
export const metadata: Metadata = { title: "API" };

/** Renders the API reference from the document that /api/v1/openapi.json returns. */
export default function Docs() {
  return (
    <div className="reference">
      <nav aria-label="Contents" className="toc">
        {tags.map(({ name }) => (
          <ul key={name}>
            <li>{name}</li>
            {operations
              .filter((one) => one.tags.includes(name))
              .map((one) => (
                <li key={anchorOf(one)}>
                  <a href={`#${anchorOf(one)}`}>{one.summary}</a>
                </li>
              ))}
          </ul>
        ))}
        <ul>
          <li>Schemas</li>
          {schemas.map(([name]) => (
            <li key={name}>
              <a href={`#schema-${name}`}>{name}</a>
            </li>
          ))}
        </ul>
      </nav>
      <article className="prose">
        <h1>API</h1>
        <p>
          <Prose>{info.description}</Prose>
        </p>
        {tags.map(({ name, description }) => (
          <section key={name}>
            <h2>{name}</h2>
            <p>
              <Prose>{description}</Prose>
            </p>
            {operations
              .filter((one) => one.tags.includes(name))
              .map((one) => (
                <OperationEntry key={anchorOf(one)} operation={one} />
              ))}
          </section>
        ))}
        <h2>Schemas</h2>
        {schemas.map(([name, schema]) => (
          <section key={name} id={`schema-${name}`} className="entry">
            <h3>
              <code>{name}</code>
            </h3>
            {schema.properties ? <Fields fields={fieldsOf(schema)} /> : <TypeName schema={schema} />}
          </section>
        ))}
      </article>
    </div>
  );
}
