import { expect, test } from "vitest";
import { cleanFileName, fileExtension } from "./file-name";

test.each([
  ["lighthouse.png", "lighthouse.png"],
  ["/home/ada/in1.png", "in1.png"],
  ["C:\\Users\\Ada\\in2.png", "in2.png"],
  ["a %22quoted%22 näme.png", 'a "quoted" näme.png'],
  ["  many \t\n spaces .png ", "many spaces .png"],
  ["invoice\u202egnp.exe", "invoicegnp.exe"],
  ["zero\u200bwidth\u0000.png", "zerowidth.png"],
  ["a\u0308.png", "ä.png"],
  ["家族の写真.jpeg", "家族の写真.jpeg"],
  [".htaccess", "htaccess"],
  ["half \ud83d.png", "half .png"],
])("cleans %j to %j", (sent, name) => {
  expect(cleanFileName(sent)).toBe(name);
});

test.each(["", "   ", "..", "../..", "folder/", "\u0000\u202e"])("nothing is left of %j", (sent) => {
  expect(cleanFileName(sent)).toBeNull();
});

test("cuts a long name to 200 characters and keeps its extension", () => {
  const name = cleanFileName(`${"🎨".repeat(400)}.png`)!;
  expect([...name]).toHaveLength(200);
  expect(name.endsWith("🎨.png")).toBe(true);
  expect([...cleanFileName("x".repeat(5_000))!]).toHaveLength(200);
});

test.each([
  ["image/jpeg", "jpg"],
  ["image/webp", "webp"],
  ["application/json", "json"],
  ["application/x-safetensors", "safetensors"],
  ["model/gltf-binary", "glb"],
  ["application/vnd.something+xml", "bin"],
  ["nonsense", "bin"],
])("the extension of %s is %s", (mediaType, extension) => {
  expect(fileExtension(mediaType)).toBe(extension);
});
