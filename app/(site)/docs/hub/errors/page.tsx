import { type ErrorCode, errorTable } from "@/server/error-table";
import { getPageApi } from "@/server/hub";
import { failures, meanings } from "./meanings";
export const metadata = { title: "Errors" };

const codes = Object.keys(errorTable) as ErrorCode[];

/** Documents the error codes. The `type` of every problem body links here, to the anchor of its code. */
export default async function Errors() {
  const { failureCodes } = await getPageApi();
  return (
    <article className="prose">
      <h1>Errors</h1>
      <p>
        Errors are returned as <code>application/problem+json</code>. The <code>code</code> is stable and meant for
        programs; <code>title</code> and <code>detail</code> are meant for people. The response&apos;s{" "}
        <code>X-Request-Id</code> identifies the request in the operator&apos;s log.
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
            <strong>How to fix it.</strong> {meanings[code].remedy}
          </p>
        </section>
      ))}
      <h2 id="failures">Failed generations</h2>
      <p>
        Reading a failed generation returns <code>200</code>; its <code>error.code</code> is one of these. Failed
        generations are free.
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
            <strong>How to fix it.</strong> {failures[code].remedy}
          </p>
        </section>
      ))}
    </article>
  );
}
