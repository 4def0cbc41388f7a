/** The content of a toast. */
export interface Message {
  text: string;
  tone?: "neutral" | "danger";
  /** Undoes the reported action. */
  undo?: () => void;
}

export type ShownToast = Message & { id: number; open: boolean };
