import type { Metadata } from "next";
import { failureCodes } from "@/server/domain/generations/generation";
import { type ErrorCode, errorTable } from "@/server/errors";
import { failures } from "./failures";
import { meanings } from "./meanings";

export const metadata: Metadata = { title: "Errors" };

const codes = Object.keys(errorTable) as ErrorCode[];

/** Where the `type` of every problem body points: one anchor for each code. */
export default function Errors() {
  return (
    <article className="prose">
      <h1>Errors</h1>
      <p>
        An error answers as <code>application/problem+json</code>. Its <code>code</code> is stable and made for
        programs; <code>title</code> and <code>detail</code> are made for people. The <code>X-Request-Id</code> of the
        answer finds it in the operator&apos;s log.
      </p>
      {codes.map((code) => (
        <section key={code} id={code} className="entry">
          <h2>
            <a href={`#${code}`}>
              <code>{code}</code>
            </a>
            <span className="status">{errorTable[code].status}</span>
          </h2>
          <p className="title">{errorTable[code].title}</p>
          <p>{meanings[code].meaning}</p>
          <p>
            <strong>What to do.</strong> {meanings[code].remedy}
          </p>
        </section>
      ))}
      <h2 id="failures">When a generation failed</h2>
      <p>
        A generation that was accepted answers <code>200</code> also when it failed; its <code>error.code</code> is one
        of these. Nothing is charged for it.
      </p>
      {failureCodes.map((code) => (
        <section key={code} id={`failed-${code}`} className="entry">
          <h3>
            <a href={`#failed-${code}`}>
              <code>{code}</code>
            </a>
          </h3>
          <p>{failures[code].meaning}</p>
          <p>
            <strong>What to do.</strong> {failures[code].remedy}
          </p>
        </section>
      ))}
    </article>
  );
}
