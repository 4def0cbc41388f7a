import { Button } from "./button";
import { CopyButton } from "./copy-button";

interface Props {
  /** What the secret is called. */
  what: "key" | "secret";
  secret: string;
  onDone: () => void;
}

/** Renders a new secret, shown once with a copy button. */
export const SecretReveal = ({ what, secret, onDone }: Props) => (
  <div className="grid gap-4">
    <p className="rounded-lg bg-warning-wash px-3 py-2 text-sm text-warning">
      Copy it now and store it safely. You won’t see it again.
    </p>
    <code
      tabIndex={0}
      aria-label={`New ${what}`}
      className="rounded-lg border border-line bg-sunken px-3 py-2.5 font-mono text-sm break-all select-all"
    >
      {secret}
    </code>
    <div className="flex justify-end gap-2">
      <CopyButton text={secret} label={`Copy ${what}`} />
      <Button kind="primary" onClick={onDone}>
        Done
      </Button>
    </div>
  </div>
);
