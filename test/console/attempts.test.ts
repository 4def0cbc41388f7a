import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Attempts } from "@/app/(console)/generations/[id]/attempts";
import type { GenerationDetail } from "@/app/(console)/generations/types";
import { skipReasons } from "@/server/domain/generations/attempts";

const at = "2026-11-22T12:00:00.000Z";
const skip = (skipped: (typeof skipReasons)[number]) => ({
  ...{ id: skipped, route: `fal:${skipped}`, provider: "fal", started_at: at, ended_at: at },
  ...{ outcome: "skipped" as const, skipped, upstream_status: null, cost: null },
});

test("lists skipped routes in words, without a duration", () => {
  const generation = { attempts: skipReasons.map(skip) } as unknown as GenerationDetail;
  const rows = renderToStaticMarkup(createElement(Attempts, { generation })).split("<tr>").slice(2);
  const texts = rows.map((row) => row.replace(/<[^>]+>/g, " ").replace(/\s+/g, " "));
  expect(texts[2]).toMatch(/^ fal:at_capacity Skipped: provider at capacity .* — — $/);
  for (const [index, reason] of skipReasons.entries())
    expect(texts[index]).toMatch(new RegExp(`^ fal:${reason} Skipped: [a-z]`));
});
