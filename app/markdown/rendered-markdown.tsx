"use client";

import { compiler } from "markdown-to-jsx/react";
import { type ComponentProps, isValidElement, memo, type ReactNode } from "react";
import { CopyButton } from "../ui/copy-button";

type Styled = ComponentProps<"th"> & ComponentProps<"td">;

/** Returns an element without the attributes that a reply must not choose, such as ids, which could be those of the page. */
const plain = (Tag: "h3" | "h4" | "ul" | "div") => {
  const Plain = ({ children }: ComponentProps<typeof Tag>) => <Tag>{children}</Tag>;
  return Plain;
};

const alignments = { left: "text-left", center: "text-center", right: "text-right" } as const;
const alignmentOf = ({ style }: Styled) => alignments[style?.textAlign as keyof typeof alignments] ?? "";

const isAddress = (url: string | undefined): url is string => /^(?:https?:\/\/|mailto:)/i.test(url ?? "");

const ExternalLink = ({ href, children }: ComponentProps<"a">) =>
  isAddress(href) ? (
    <a href={href} target="_blank" rel="noreferrer nofollow noopener">
      {children}
    </a>
  ) : (
    <span>{children}</span>
  );

/** An image of a reply is a link: loading it would reveal the reader to its host. */
const ImageLink = ({ src, alt }: ComponentProps<"img">) => (
  <ExternalLink href={typeof src === "string" ? src : undefined}>{alt ?? "Image"}</ExternalLink>
);

const options = {
  disableParsingRawHTML: true,
  wrapper: null,
  overrides: {
    ...Object.fromEntries(["h1", "h2", "h3"].map((name) => [name, plain("h3")])),
    ...Object.fromEntries(["h4", "h5", "h6"].map((name) => [name, plain("h4")])),
    div: plain("div"),
    a: ExternalLink,
    img: ImageLink,
    pre: CodeBlock,
    table: ({ children }: ComponentProps<"table">) => (
      <div role="region" aria-label="Table" tabIndex={0} className="overflow-x-auto">
        <table>{children}</table>
      </div>
    ),
    th: (props: Styled) => <th className={alignmentOf(props)}>{props.children}</th>,
    td: (props: Styled) => <td className={alignmentOf(props)}>{props.children}</td>,
  },
};

/** Renders Markdown as elements. Raw HTML in it is shown as text. */
export const RenderedMarkdown = memo(function RenderedMarkdown({ text }: { text: string }) {
  return <div className="markdown text-sm leading-6">{compiler(text, options)}</div>;
});

/** Renders a block of code with a button that copies it. */
function CodeBlock({ children }: { children?: ReactNode }) {
  const text = textOf(children);
  return (
    <div className="relative">
      <pre tabIndex={0} aria-label="Code" className="overflow-x-auto rounded-lg bg-sunken p-3 pr-12 font-mono text-xs">
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label="Copy code" iconOnly className="absolute top-1 right-1" />
    </div>
  );
}

/** Returns the text of the `code` element inside. */
function textOf(node: ReactNode): string {
  if (Array.isArray(node)) return node.map((child: ReactNode) => textOf(child)).join("");
  if (isValidElement<{ children?: ReactNode }>(node)) return textOf(node.props.children);
  return typeof node === "string" ? node : "";
}
