import { ConfirmedButton, Dialog } from "../../ui/dialog";
import { SecretReveal } from "../../ui/secret-reveal";

interface Props {
  rotation: { isPending: boolean; data?: { secret: string }; reset: () => void };
  onConfirm: () => void;
}

/** Rotates a secret after a confirmation, and shows the new one. */
export const RotateSecret = ({ rotation, onConfirm }: Props) => (
  <>
    <ConfirmedButton
      needs="develop"
      busy={rotation.isPending}
      title="Rotate the secret?"
      verb="Rotate secret"
      question="A new secret is created. The old one stays valid for 24 hours."
      onConfirm={onConfirm}
    >
      Rotate secret
    </ConfirmedButton>
    <Dialog
      open={rotation.data !== undefined}
      onOpenChange={() => rotation.reset()}
      title="New secret"
      description="The old secret stays valid for 24 hours."
    >
      <SecretReveal what="secret" secret={rotation.data?.secret ?? ""} onDone={() => rotation.reset()} />
    </Dialog>
  </>
);
