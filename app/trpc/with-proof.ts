import { requestProof } from "../factors/proof-request";
import type { CallError, SendCall } from "./send-calls";

/** Repeats a mutation once after the person has proved who they are, where the hub demands that. */
export const withProof =
  (send: SendCall): SendCall =>
  async (call) => {
    try {
      return await send(call);
    } catch (error) {
      const needsProof = (error as CallError).data?.needsProof;
      if (!needsProof || !(await requestProof())) throw error;
      return send(call);
    }
  };
