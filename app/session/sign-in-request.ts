import Credentials from "next-auth/providers/credentials";
import type { Hub } from "@/server/context";
import { normalizeEmail } from "@/server/domain/accounts/account";
import { signIn, type SignedIn } from "@/server/domain/sessions/sign-in";
import { passwordCounters, rejectExhausted } from "@/server/domain/rates/throttle";
import type { Device } from "@/server/lib/device-token";

interface Source {
  /** Null when the host does not provide it. */
  address: string | null;
  /** The name of the new session in the list of sessions. */
  browser: string;
  /** From its cookie; its account is checked together with the password. */
  device: Device | null;
}

/** One request to next-auth's routes, with the outcomes that next-auth itself does not expose. */
export class SignInRequest {
  /** The error of a callback, which next-auth would swallow or show to the browser. */
  error: Error | null = null;
  /** The account that signed in. */
  signedIn: SignedIn | null = null;
  readonly provider;

  constructor(
    private readonly hub: Hub,
    private readonly source: Source,
  ) {
    const { address, device } = source;
    this.provider = Credentials({
      id: "credentials",
      credentials: { email: { label: "E-mail", type: "email" }, password: { label: "Password", type: "password" } },
      authorize: (credentials) =>
        this.guard(async () => {
          const { email, password } = credentials ?? {};
          if (typeof email !== "string" || typeof password !== "string") return null;
          this.signedIn = await signIn(hub, { email, password }, address, device);
          return this.signedIn && { id: String(this.signedIn.id), email: this.signedIn.email };
        }),
    });
  }

  /** The name of the new session in the list of sessions. */
  get browser(): string {
    return this.source.browser;
  }

  /** Throws a 429 when sign-ins for these fields are throttled, before next-auth does its own work. */
  rejectExhausted({ email = "" }: Record<string, string>): void {
    const { address, device } = this.source;
    rejectExhausted(passwordCounters(this.hub, normalizeEmail(email), address, device));
  }

  /** Runs a callback of next-auth and stores the error that it throws. */
  async guard<T>(callback: () => Promise<T>): Promise<T> {
    try {
      return await callback();
    } catch (error) {
      this.error = error instanceof Error ? error : new Error(String(error));
      throw this.error;
    }
  }
}
