import { expect, test } from "vitest";
import { createCallIndexer } from "./index-calls";

const piece = (index: number, id: string) => ({ index, id, function: { name: "read", arguments: "" } });

test("calls with an index that no server counts to are numbered like those without one", () => {
  const pieces = [Number.MAX_SAFE_INTEGER, -1, 1_000].flatMap((index) =>
    ["a", "b", "c"].map((id) => piece(index, `${index} ${id}`)),
  );
  expect(createCallIndexer()(pieces)).toEqual(pieces.map((sent, index) => ({ ...sent, index })));
});
