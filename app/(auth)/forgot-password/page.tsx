import { getHub } from "@/server/hub";
import { AccessCard } from "../../ui/access-card";
import { Link } from "../../ui/link";
import { ForgotPassword } from "./forgot-password";

export const metadata = { title: "Forgot your password" };

export default async function ForgotPasswordPage() {
  const { env } = await getHub();
  return (
    <AccessCard title="Forgot your password?" below={<Link href="/sign-in">Back to sign in</Link>}>
      {env.SMTP_URL ? (
        <ForgotPassword />
      ) : (
        <p className="text-sm leading-6 text-soft">
          This hub doesn’t send e-mail. Ask its operator to set a new password:{" "}
          <code className="font-mono text-xs">npm run hub -- account password --email … --password …</code>
        </p>
      )}
    </AccessCard>
  );
}
