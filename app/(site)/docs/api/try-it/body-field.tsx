import type { SampleBody } from "../../../../code-samples/sample-request";
import { TextArea } from "../../../../ui/controls";
import { Field } from "../../../../ui/field";

const MAX_ROWS = 16;

interface Props {
  body: SampleBody;
  /** The JSON body. */
  text: string;
  setText: (text: string) => void;
  setFile: (file: File | null) => void;
}

/** Edits a JSON body, or chooses the file that is sent instead. */
export const BodyField = ({ body, text, setText, setFile }: Props) =>
  body.kind === "json" ? (
    <Field label="Body (JSON)">
      {({ className, ...props }) => (
        <TextArea
          {...props}
          rows={Math.min(text.split("\n").length + 1, MAX_ROWS)}
          value={text}
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
          className={`${className} py-2 font-mono leading-5`}
        />
      )}
    </Field>
  ) : (
    <Field label="File">
      {({ className, ...props }) => (
        <input
          {...props}
          type="file"
          onChange={(event) => setFile(event.target.files?.[0] ?? null)}
          className={`${className} py-2`}
        />
      )}
    </Field>
  );
