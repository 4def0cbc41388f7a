import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { expect, expectTypeOf, test } from "vitest";
import type { Root } from "../../server/trpc/root";
import { transformer } from "../../server/trpc/transformer";

/** Values that JSON does not preserve. */
type Changed = Date | bigint | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | Uint8Array;

/** Where a type contains such a value; `never` if it contains none. */
type Paths<T, Path extends string = "", Depth extends 0[] = []> = Depth["length"] extends 10
  ? never
  : T extends Changed
    ? Path
    : T extends readonly (infer Item)[]
      ? Paths<Item, `${Path}[]`, [...Depth, 0]>
      : T extends object
        ? { [Name in keyof T & string]-?: Paths<T[Name], `${Path}.${Name}`, [...Depth, 0]> }[keyof T & string]
        : never;

test("inputs and outputs of the console's calls have types that JSON preserves", () => {
  expectTypeOf<Paths<{ list: readonly { at?: Date | null }[] }>>().toEqualTypeOf<".list[].at">();
  expectTypeOf<Paths<inferRouterOutputs<Root>>>().toEqualTypeOf<never>();
  expectTypeOf<Paths<inferRouterInputs<Root>>>().toEqualTypeOf<never>();
});

test("a value arrives as it was sent, whatever its members are called", () => {
  const value = JSON.parse('{"constructor":1,"prototype":[null],"__proto__":{"json":2}}') as unknown;
  const received = transformer.deserialize(JSON.parse(JSON.stringify(transformer.serialize(value))) as never);
  expect(JSON.stringify(received)).toBe(JSON.stringify(value));
  expect(transformer.deserialize(JSON.parse(JSON.stringify(transformer.serialize(undefined))) as never)).toBe(
    undefined,
  );
});
