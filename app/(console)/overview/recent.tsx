import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Link } from "../../ui/link";
import { GenerationTable, type Summary } from "../generations/generation-table";

export const Recent = ({ generations }: { generations: Summary[] }) => (
  <Card
    title="Recent generations"
    flush
    action={
      <Button asChild>
        <Link href="/generations">All generations</Link>
      </Button>
    }
  >
    <GenerationTable generations={generations} />
  </Card>
);
