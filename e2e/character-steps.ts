import type { APIRequestContext, Page } from "@playwright/test";
import { makePng } from "../test/media/png";
import { expect } from "./journey";
import { pixel } from "./pixel";

/** Drops pictures of these colours onto the form. */
export async function dropPictures(page: Page, colours: string[]): Promise<void> {
  const pictures = await Promise.all(
    colours.map(async (background) => {
      const content = await makePng(background, { width: 320, height: 240 });
      return { name: `${background}.png`, content: content.toString("base64") };
    }),
  );
  const dataTransfer = await page.evaluateHandle((pictures) => {
    const data = new DataTransfer();
    for (const { name, content } of pictures) {
      const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
      data.items.add(new File([bytes], name, { type: "image/png" }));
    }
    return data;
  }, pictures);
  await page.getByText("Drop pictures here").dispatchEvent("drop", { dataTransfer });
  await expect(page.getByRole("list", { name: "Pictures" }).getByRole("listitem")).toHaveCount(colours.length);
}

/** Returns a function that calls the REST API with a key: with `data` by POST, otherwise by GET. */
export const createApiCaller =
  (request: APIRequestContext, { url, key }: { url: string; key: string }) =>
  async <T>(path: string, data?: unknown): Promise<T> => {
    const headers = { Authorization: `Bearer ${key}` };
    const target = `${url}/api/v1/${path}`;
    const answer = await (data ? request.post(target, { headers, data }) : request.get(target, { headers }));
    return (await answer.json()) as T;
  };

/** Uploads a picture of one pixel. */
export async function uploadPixel(
  request: APIRequestContext,
  { url, key }: { url: string; key: string },
): Promise<{ url: string; sha256: string }> {
  const headers = { Authorization: `Bearer ${key}` };
  const answer = await request.post(`${url}/api/v1/hub/files`, { headers, multipart: { file: pixel } });
  return (await answer.json()) as { url: string; sha256: string };
}
