"use client";

import { type ComponentType, lazy, Suspense } from "react";

// Loaded on demand, because few pages show Markdown.
const Rendered = lazy<ComponentType<{ text: string }>>(() =>
  import("./rendered-markdown").then(
    (module) => ({ default: module.RenderedMarkdown }),
    () => ({ default: PlainText }),
  ),
);

/** Rendering takes longer than a frame beyond this many characters. */
const MAX_LENGTH = 50_000;

/** Renders a model's reply: Markdown without HTML, images or own ids; a very long one as plain text. */
export const Markdown = ({ text }: { text: string }) =>
  text.length > MAX_LENGTH ? (
    <PlainText text={text} />
  ) : (
    <Suspense fallback={<PlainText text={text} />}>
      <Rendered text={text} />
    </Suspense>
  );

const PlainText = ({ text }: { text: string }) => (
  <p className="text-sm leading-6 break-words whitespace-pre-wrap">{text}</p>
);
