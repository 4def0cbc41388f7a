import { Ajv } from "ajv";

/** Schemas of a maker's requests and responses, written from its reference. */
export interface SchemaValidator<Name extends string> {
  /** Returns what is wrong with a value; an empty list if nothing is. */
  findIssues: (name: Name, value: unknown) => { path: string; message: string }[];
  /** Returns the value. Throws if it does not match its schema, so that a double never says what its maker would not. */
  assertValid: <T>(name: Name, value: T) => T;
}

/** Returns a validator for some schemas, which may refer to each other by `#/$defs/<name>`. */
export function createValidator<Name extends string>(schemas: Record<Name, object>): SchemaValidator<Name> {
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
  ajv.addSchema({ $id: "maker", $defs: schemas });
  const findIssues = (name: Name, value: unknown) => {
    const validate = ajv.getSchema(`maker#/$defs/${name}`)!;
    if (validate(value)) return [];
    return validate.errors!.map(({ instancePath, message = "", params }) => {
      const { additionalProperty: extra, missingProperty: missing } = params as Record<string, string | undefined>;
      const member = extra ?? missing;
      return { path: member === undefined ? instancePath : `${instancePath}/${member}`, message };
    });
  };
  return {
    findIssues,
    assertValid: (name, value) => {
      const issues = findIssues(name, value);
      if (issues.length > 0) throw new Error(`not a valid ${name}: ${JSON.stringify(issues)}`);
      return value;
    },
  };
}
