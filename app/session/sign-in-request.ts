import Credentials from "next-auth/providers/credentials";
import type { Hub } from "@/server/context";
import { signIn, type SignedIn } from "@/server/domain/sessions/sign-in";

interface Source {
  /** Null when the host does not tell it. */
  address: string | null;
  /** What the new session is listed as. */
  browser: string;
}

/** One request to next-auth's routes. next-auth knows right and wrong only; what else came of it is kept here. */
export class SignInRequest {
  /** What a callback threw, which next-auth would swallow or show to the browser. */
  error: Error | null = null;
  /** Who was let in. */
  signedIn: SignedIn | null = null;
  readonly browser: string;
  readonly provider;

  constructor(hub: Hub, { address, browser }: Source) {
    this.browser = browser;
    this.provider = Credentials({
      id: "credentials",
      credentials: { email: { label: "E-mail", type: "email" }, password: { label: "Password", type: "password" } },
      authorize: (given) =>
        this.guard(async () => {
          const { email, password } = given ?? {};
          if (typeof email !== "string" || typeof password !== "string") return null;
          this.signedIn = await signIn(hub, { email, password }, address);
          return this.signedIn && ({ id: String(this.signedIn.id), email: this.signedIn.email });
        }),
    });
  }

  /** Runs a callback of next-auth and keeps what it throws. */
  async guard<T>(callback: () => Promise<T>): Promise<T> {
    try {
      return await callback();
    } catch (error) {
      this.error = error instanceof Error ? error : new Error(String(error));
      throw this.error;
    }
  }
}
