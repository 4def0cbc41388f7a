import { schemas } from "../../document";
import { Fields, membersOf, TypeName } from "../fields";

export const metadata = { title: "API schemas" };

/** Documents the schemas that requests and responses are made of. */
export default function Schemas() {
  return (
    <article className="min-w-0 max-w-3xl">
      <h1 className="mt-10 mb-6 text-3xl font-semibold tracking-tight">Schemas</h1>
      {schemas.map(([name, schema]) => (
        <section key={name} id={`schema-${name}`} className="entry">
          <h2>
            <a href={`#schema-${name}`}>
              <code>{name}</code>
            </a>
          </h2>
          {schema.properties ? <Fields fields={membersOf(schema)} /> : <TypeName schema={schema} />}
        </section>
      ))}
    </article>
  );
}
