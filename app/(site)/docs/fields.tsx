import { type Schema, typeOf } from "./document";

interface Field {
  name: string;
  /** The location of the parameter; absent for body fields. */
  location?: string;
  required: boolean;
  schema: Schema;
  description?: string;
}

/** Renders a table of an object's fields or an operation's parameters. */
export function Fields({ fields }: { fields: Field[] }) {
  return (
    <div className="scroll">
      <table>
        <tbody>
          {fields.map(({ name, location, required, schema, description }) => (
            <tr key={`${location} ${name}`}>
              <th scope="row">
                <code>{name}</code>
                <small>{[location, required ? "" : "optional"].filter(Boolean).join(", ")}</small>
              </th>
              <td>
                <TypeName schema={schema} />
              </td>
              <td>
                <Prose>{description ?? schema.description}</Prose>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function TypeName({ schema }: { schema: Schema }) {
  const { text, reference } = typeOf(schema);
  const name = <code className="type">{text}</code>;
  return reference ? <a href={`#schema-${reference}`}>{name}</a> : name;
}

export const fieldsOf = ({ properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, schema, required: required.includes(name) }));

/** Renders a description; text in backquotes becomes code. */
export function Prose({ children }: { children: string | undefined }) {
  return children?.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
