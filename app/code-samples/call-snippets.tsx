import { Codes } from "./codes";
import { type Call, languages, snippetOf } from "./snippets";

/** Shows a request as example programs to copy. */
export const CallSnippets = ({ call, title = "API call" }: { call: Call; title?: string }) => (
  <Codes title={title} codes={languages.map((one) => ({ ...one, code: snippetOf(one.value, call) }))} />
);
