import { describe, expect, test } from "vitest";
import { buildProvider } from "../../../test/providers/job";
import { type Api, findApiUrl, isListedHost } from "./api";

test.each([
  ["example.com", "example.com", true],
  ["example.com", "a.example.com", false],
  ["*.example.com", "a.example.com", true],
  ["*.example.com", "a.b.example.com", true],
  ["*.example.com", "example.com", false],
  ["*.example.com", "badexample.com", false],
  ["*.example.com", "a.example.com:8443", false],
  ["*.example.com", "a.example.com.bad.com", false],
  ["files*.example.com", "files1.example.com", true],
  ["files*.example.com", "files.bad.example.com", false],
  ["files*.example.com", "my-files.example.com", false],
])("%s lists %s: %s", (pattern, host, isListed) => {
  expect(isListedHost([pattern], host)).toBe(isListed);
});

describe("the key is sent", () => {
  const api: Api = { authorize: () => ({}), apiHosts: ["*.maker.com"] };
  const provider = buildProvider("bfl", "http://10.0.0.1:8000/base");

  test.each([
    ["/v1/x?id=1", "http://10.0.0.1:8000/base/v1/x?id=1"],
    ["http://10.0.0.1:8000/v1/x", "http://10.0.0.1:8000/v1/x"],
    ["https://eu.maker.com/v1/x", "https://eu.maker.com/v1/x"],
  ])("to %s", (text, url) => {
    expect(findApiUrl(api, provider, text)?.href).toBe(url);
  });

  test.each([
    ["http://eu.maker.com/v1/x"],
    ["https://maker.com.bad.com/"],
    ["https://user:password@eu.maker.com/"],
    ["http://10.0.0.1/v1/x"],
    ["ftp://eu.maker.com/"],
    [undefined],
    [7],
  ])("never to %s", (text) => {
    expect(findApiUrl(api, provider, text)).toBeNull();
  });
});
