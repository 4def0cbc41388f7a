import { expect, test } from "vitest";
import { createToolNames, type NamedTool } from "./tool-names";

const tool = (name: string, namespace: string | null = null): NamedTool => ({ kind: "function", name, namespace });

test.each([
  [tool("look"), "look"],
  [tool("exec", "functions"), "functions__exec"],
])("%j keeps its name", (one, name) => {
  const names = createToolNames();
  expect(names.encode(one)).toBe(name);
  expect(names.decode(name)).toEqual(one);
});

test("tools whose names collide, are too long or have other characters get names of their own", () => {
  const tools = [
    tool("b", "a"),
    tool("a__b"),
    tool("x".repeat(65)),
    tool(`${"x".repeat(64)}y`),
    tool("y".repeat(60), "functions"),
    tool("été"),
    tool("a.b"),
    tool("a b"),
    tool("__proto__"),
    tool("constructor", "toString"),
  ];
  const names = createToolNames();
  const encoded = tools.map((one) => names.encode(one));
  expect(new Set(encoded).size).toBe(tools.length);
  for (const name of encoded) expect(name).toMatch(/^[\w-]{1,64}$/);
  expect(encoded.map((name) => names.decode(name))).toEqual(tools);
  expect(tools.map((one) => names.encode(one))).toEqual(encoded);
});

test("a function that the chat does not have is one of no namespace", () => {
  expect(createToolNames().decode("constructor")).toEqual(tool("constructor"));
});
